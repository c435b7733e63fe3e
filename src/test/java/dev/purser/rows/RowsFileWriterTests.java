package dev.purser.rows;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RowsFileWriterTests {
    private static final long HUGE = 1L << 40;

    /** Stored in one, two, four and eight bytes. */
    private static final List<StoredRange> COLUMNS = List.of(
            new StoredRange(-100, 100),
            new StoredRange(0, 50_000),
            new StoredRange(-5_000_000, 5_000_000),
            new StoredRange(-HUGE, HUGE));

    private static final RowsShape SHAPE = new RowsShape(COLUMNS, 9);

    @TempDir
    private Path folder;

    private Path write(RowsShape shape, List<long[]> rows) throws IOException {
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(shape, file)) {
            for (long[] row : rows) {
                writer.add(row);
            }
            writer.finish();
        }
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
        return file;
    }

    /** More rows than four chunks and a run hold; with so many permitted that none is counted, and so few that all but the widest are. */
    @ParameterizedTest
    @ValueSource(longs = {100_000_000_000L, 20_000_000})
    void keepsValuesAndProfilesOfEveryWidth(long maxRows) throws IOException {
        RowsShape shape = new RowsShape(COLUMNS, maxRows);
        Random random = new Random(3);
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 600_000; i++) {
            rows.add(COLUMNS.stream().mapToLong(column -> value(column, random)).toArray());
        }
        Path file = write(shape, rows);
        try (RowsFile stored = new RowsFile(file, shape)) {
            assertThat(stored.rows()).isEqualTo(rows.size());
            for (int i = 0; i < COLUMNS.size(); i++) {
                checkValues(stored, i, rows);
                checkProfile(stored, i, rows);
            }
        }
    }

    /** Both bounds and some other values often, the others hardly twice. */
    private static long value(StoredRange column, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> column.lower();
            case 1 -> column.upper();
            case 2 -> column.lower() + random.nextInt(30);
            default -> random.nextLong(column.lower(), column.upper() + 1);
        };
    }

    private static void checkValues(RowsFile stored, int column, List<long[]> rows) throws IOException {
        long lower = COLUMNS.get(column).lower();
        long[] offsets = new long[rows.size()];
        stored.values(column).reader().read(0, offsets, rows.size());
        for (int row = 0; row < rows.size(); row++) {
            if (lower + offsets[row] != rows.get(row)[column]) {
                throw new AssertionError("row " + row + " of column " + column);
            }
        }
    }

    private static void checkProfile(RowsFile stored, int column, List<long[]> rows) throws IOException {
        TreeMap<Long, Long> expected = new TreeMap<>();
        rows.forEach(row -> expected.merge(row[column], 1L, Long::sum));
        Prefixes below = stored.profile(column)
                .below(expected.keySet().stream().mapToLong(value -> value + 1).toArray());
        long[] counts = below.counts();
        BigInteger[] sums = StoredRows.sums(below);
        long count = 0;
        BigInteger sum = BigInteger.ZERO;
        int position = 0;
        for (var value : expected.entrySet()) {
            count += value.getValue();
            sum = sum.add(BigInteger.valueOf(value.getKey()).multiply(BigInteger.valueOf(value.getValue())));
            if (counts[position] != count || !sums[position].equals(sum)) {
                throw new AssertionError("up to " + value.getKey() + " of column " + column);
            }
            position++;
        }
        assertThat(counts[position]).isEqualTo(rows.size());
        assertThat(sums[position]).isEqualTo(sum);
    }

    /** Chunks of a few rows. */
    @Test
    void takesAThousandColumns() throws IOException {
        List<StoredRange> columns = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            columns.add(new StoredRange(0, i));
        }
        List<long[]> rows = new ArrayList<>();
        for (int row = 0; row < 2000; row++) {
            int number = row;
            rows.add(IntStream.range(0, 1000).mapToLong(i -> number % (i + 1)).toArray());
        }
        RowsShape shape = new RowsShape(columns, 2000);
        List<List<Long>> stored = StoredRows.in(write(shape, rows), shape);
        for (int row = 0; row < 2000; row++) {
            assertThat(stored.get(row).stream().mapToLong(Long::longValue).toArray())
                    .isEqualTo(rows.get(row));
        }
    }

    @Test
    void leavesNothingButAPartOfItsFile() throws IOException {
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            writer.add(new long[] {0, 0, 0, 0});
            assertThat(folder).isNotEmptyDirectory();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void tellsWhatCannotBeWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("rows.columns"));
        try (RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            assertThatExceptionOfType(RowsNotWritten.class).isThrownBy(writer::finish);
        }
        Path nowhere = folder.resolve("missing/rows.columns");
        assertThatExceptionOfType(RowsNotWritten.class).isThrownBy(() -> new RowsFileWriter(SHAPE, nowhere));
    }

    @Test
    void mergesAsManyRunsAsThereAre() throws IOException {
        Random random = new Random(4);
        for (int width : new int[] {1, 2, 4, 8}) {
            for (int count : new int[] {0, 1, 2, 3, 4, 5, 299, 300, 3001}) {
                long size = width == 8 ? 2 * HUGE + 1 : 1L << 8 * width;
                long[] numbers =
                        random.longs(count, Math.max(0, size - 5000), size).toArray();
                assertThat(merged(numbers, width))
                        .as("%d numbers of %d bytes", count, width)
                        .isEqualTo(Arrays.stream(numbers).sorted().toArray());
            }
        }
    }

    /** Sorted three by three and merged. */
    private long[] merged(long[] numbers, int width) throws IOException {
        RadixSort sort = new RadixSort(2 * HUGE + 1);
        long[] merged = new long[numbers.length];
        try (ChunkFile file = new ChunkFile(folder.resolve("chunks"), 3, new int[] {width})) {
            for (int from = 0; from < numbers.length; from += 3) {
                long[] chunk = Arrays.copyOfRange(numbers, from, from + 3);
                int count = Math.min(3, numbers.length - from);
                file.write(from / 3, 0, sort.sort(chunk, count), count);
            }
            RunMerge merge = new RunMerge(file, numbers.length);
            int at = 0;
            while (merge.hasNext()) {
                merged[at++] = merge.next();
            }
            assertThat(at).isEqualTo(numbers.length);
        }
        return merged;
    }

    @Test
    void sortsWhateverTheBound() {
        Random random = new Random(5);
        for (long size : new long[] {1, 2, 4096, 4097, 1L << 24, (1L << 24) + 1, 2 * HUGE + 1}) {
            RadixSort sort = new RadixSort(size);
            for (int count : new int[] {0, 1, 2, 1000, 5}) {
                long[] numbers = random.longs(count, 0, size).toArray();
                long[] expected = Arrays.stream(numbers).sorted().toArray();
                assertThat(Arrays.copyOf(sort.sort(numbers, count), count)).isEqualTo(expected);
            }
        }
    }
}
