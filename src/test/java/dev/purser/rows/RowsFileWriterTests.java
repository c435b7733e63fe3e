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

    /** Some smaller than a chunk, some larger, in arrays that are longer; and single rows between them. */
    @Test
    void takesBatchesOfAnySize() throws IOException {
        int rows = 700_000;
        long[][] values = new long[COLUMNS.size()][rows];
        Random random = new Random(8);
        for (int i = 0; i < COLUMNS.size(); i++) {
            for (int row = 0; row < rows; row++) {
                values[i][row] = value(COLUMNS.get(i), random);
            }
        }
        RowsShape shape = new RowsShape(COLUMNS, rows);
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(shape, file)) {
            int[] sizes = {1, 0, 100, 1 << 17, 3, 300_000, 2048};
            int from = 0;
            for (int batch = 0; from < rows; batch++) {
                int count = Math.min(sizes[batch % sizes.length], rows - from);
                int first = from;
                writer.add(
                        Arrays.stream(values)
                                .map(column -> Arrays.copyOfRange(column, first, first + count + 5))
                                .toArray(long[][]::new),
                        count);
                from += count;
                if (from < rows) {
                    int single = from;
                    writer.add(Arrays.stream(values)
                            .mapToLong(column -> column[single])
                            .toArray());
                    from++;
                }
            }
            writer.finish();
        }
        try (RowsFile stored = new RowsFile(file, shape)) {
            assertThat(stored.rows()).isEqualTo(rows);
            for (int i = 0; i < COLUMNS.size(); i++) {
                checkValues(stored.values(i), COLUMNS.get(i), values[i]);
            }
        }
    }

    /** All at once, and some that begin and end before, at and after the borders of chunks. */
    private static void checkValues(ColumnValues stored, StoredRange range, long[] expected) throws IOException {
        long[] offsets = new long[expected.length];
        for (int from : new int[] {0, 1, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 3 << 17}) {
            for (int count : new int[] {0, 1, 2, 1 << 17, (1 << 17) + 1, expected.length - from}) {
                stored.reader().read(from, offsets, count);
                for (int i = 0; i < count; i++) {
                    if (range.lower() + offsets[i] != expected[from + i]) {
                        throw new AssertionError("value " + i + " of " + count + " from row " + from + " on");
                    }
                }
            }
        }
    }

    @Test
    void refusesARowOutsideTheBoundsWhereverItIsInAChunk() throws IOException {
        for (long value : new long[] {-101, 101, Long.MIN_VALUE, Long.MAX_VALUE}) {
            for (int row : new int[] {0, 9, 999}) {
                long[][] columns = new long[COLUMNS.size()][1000];
                columns[0][row] = value;
                try (RowsFileWriter writer = new RowsFileWriter(SHAPE, folder.resolve("rows.columns"))) {
                    writer.add(columns, 1000);
                    assertThatExceptionOfType(RowsNotWritten.class).isThrownBy(writer::finish);
                }
            }
        }
    }

    @Test
    void leavesNothingUnlessItIsFinished() throws IOException {
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            writer.add(new long[] {0, 0, 0, 0});
            assertThat(folder).isNotEmptyDirectory();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> new RowsFile(file, SHAPE).close());
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void tellsWhatCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.columns"), "of somebody else");
        assertThatExceptionOfType(RowsNotWritten.class).isThrownBy(() -> new RowsFileWriter(SHAPE, file));
        assertThat(file).hasContent("of somebody else");
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
