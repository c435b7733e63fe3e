package dev.purser.dataset;

import dev.purser.privacy.PrivacyUnit;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
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
    private static final List<Column> COLUMNS = List.of(
            DatasetsForTests.integer("tiny", -100, 100),
            DatasetsForTests.integer("small", 0, 50_000),
            DatasetsForTests.integer("large", -5_000_000, 5_000_000),
            DatasetsForTests.integer("huge", -HUGE, HUGE));

    @TempDir
    private Path folder;

    private static Dataset dataset(long maxRows, List<Column> columns) {
        return DatasetsForTests.of("rows", new PrivacyUnit.Row(), maxRows, columns);
    }

    private Path write(Dataset dataset, List<long[]> rows) throws IOException {
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(dataset, file)) {
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
        Dataset dataset = dataset(maxRows, COLUMNS);
        Random random = new Random(3);
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < 600_000; i++) {
            rows.add(COLUMNS.stream()
                    .mapToLong(column -> value((Column.Numeric) column, random))
                    .toArray());
        }
        Path file = write(dataset, rows);
        try (RowsFile stored = new RowsFile(file, dataset)) {
            assertThat(stored.rows()).isEqualTo(rows.size());
            for (int i = 0; i < COLUMNS.size(); i++) {
                checkValues(stored, i, rows);
                checkProfile(stored, i, rows);
            }
        }
    }

    /** Both bounds and some other values often, the others hardly twice. */
    private static long value(Column.Numeric column, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> column.lower();
            case 1 -> column.upper();
            case 2 -> column.lower() + random.nextInt(30);
            default -> random.nextLong(column.lower(), column.upper() + 1);
        };
    }

    private static void checkValues(RowsFile stored, int column, List<long[]> rows) throws IOException {
        long lower = ((Column.Numeric) COLUMNS.get(column)).lower();
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
        ColumnProfile.Reader profile = stored.profile(column).reader();
        long count = 0;
        BigInteger sum = BigInteger.ZERO;
        for (var value : expected.entrySet()) {
            count += value.getValue();
            sum = sum.add(BigInteger.valueOf(value.getKey()).multiply(BigInteger.valueOf(value.getValue())));
            long at = profile.below(value.getKey() + 1)[0];
            ByteBuffer found =
                    ByteBuffer.allocate(16).putLong(profile.sumHigh(at)).putLong(profile.sumLow(at));
            if (profile.count(at) != count || !new BigInteger(found.array()).equals(sum)) {
                throw new AssertionError("up to " + value.getKey() + " of column " + column);
            }
        }
        assertThat(profile.all()).isEqualTo(expected.size());
    }

    /** Chunks of a few rows. */
    @Test
    void takesAThousandColumns() throws IOException {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            columns.add(DatasetsForTests.integer("c" + i, 0, i));
        }
        List<long[]> rows = new ArrayList<>();
        for (int row = 0; row < 2000; row++) {
            int number = row;
            rows.add(IntStream.range(0, 1000).mapToLong(i -> number % (i + 1)).toArray());
        }
        Dataset dataset = dataset(2000, columns);
        List<List<Long>> stored = StoredRows.in(write(dataset, rows), dataset);
        for (int row = 0; row < 2000; row++) {
            assertThat(stored.get(row).stream().mapToLong(Long::longValue).toArray())
                    .isEqualTo(rows.get(row));
        }
    }

    @Test
    void leavesNothingButAPartOfItsFile() throws IOException {
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(dataset(9, COLUMNS), file)) {
            writer.add(new long[] {0, 0, 0, 0});
            assertThat(folder).isNotEmptyDirectory();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void tellsWhatCannotBeWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("rows.columns"));
        try (RowsFileWriter writer = new RowsFileWriter(dataset(9, COLUMNS), file)) {
            assertThatExceptionOfType(RowsNotWritten.class).isThrownBy(writer::finish);
        }
        Path nowhere = folder.resolve("missing/rows.columns");
        assertThatExceptionOfType(RowsNotWritten.class)
                .isThrownBy(() -> new RowsFileWriter(dataset(9, COLUMNS), nowhere));
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
