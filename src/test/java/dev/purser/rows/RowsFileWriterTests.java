package dev.purser.rows;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RowsFileWriterTests {
    private static final long HUGE = 1L << 40;

    /**
     * The values are stored in one, two, four and eight bytes. The profiles of the first two columns come from counts,
     * the profiles of the other two from a sort.
     */
    private static final List<StoredRange> COLUMNS = List.of(
            new StoredRange(-100, 100),
            new StoredRange(0, 50_000),
            new StoredRange(-5_000_000, 5_000_000),
            new StoredRange(-HUGE, HUGE));

    private static final RowsShape SHAPE = StoredRows.shape(COLUMNS);

    /** The number of rows of a chunk of four columns. */
    private static final int CHUNK = 1 << 17;

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

    private static List<long[]> random(int count) {
        Random random = new Random(3);
        List<long[]> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(COLUMNS.stream().mapToLong(column -> value(column, random)).toArray());
        }
        return rows;
    }

    /** A value: both bounds and some other values come often, the remaining values hardly twice. */
    private static long value(StoredRange column, Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> column.lower();
            case 1 -> column.upper();
            case 2 -> column.lower() + random.nextInt(30);
            default -> random.nextLong(column.lower(), column.upper() + 1);
        };
    }

    /** More rows than four chunks and two runs hold. */
    @Test
    void keepsValuesAndProfilesOfEveryWidth() throws IOException {
        List<long[]> rows = random(600_000);
        try (RowsFile stored = new RowsFile(write(SHAPE, rows), SHAPE)) {
            assertThat(stored.rows()).isEqualTo(rows.size());
            for (int i = 0; i < COLUMNS.size(); i++) {
                checkValues(stored, i, rows);
                checkProfile(stored, i, rows);
            }
        }
    }

    /** Checks all values at once, and ranges that begin and end before, at and after the borders of chunks. */
    private static void checkValues(RowsFile stored, int column, List<long[]> rows) throws IOException {
        long lower = COLUMNS.get(column).lower();
        long[] offsets = new long[rows.size()];
        for (int from : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 4 * CHUNK}) {
            for (int count : new int[] {0, 1, 2, CHUNK, CHUNK + 1, rows.size() - from}) {
                if (from + count <= rows.size()) {
                    stored.values(column).reader().read(from, offsets, count);
                    for (int i = 0; i < count; i++) {
                        if (lower + offsets[i] != rows.get(from + i)[column]) {
                            throw new AssertionError("row " + i + " of " + count + " from " + from + " of " + column);
                        }
                    }
                }
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

    /** The widest column that is counted and the narrowest column that is sorted, with values at both ends. */
    @Test
    void countedAndSortedProfilesAreAlike() throws IOException {
        for (long size : new long[] {1 << 20, (1 << 20) + 1}) {
            RowsShape shape = StoredRows.shape(List.of(new StoredRange(-7, size - 8)));
            List<long[]> rows = List.of(
                    new long[] {size - 8}, new long[] {-7}, new long[] {-7}, new long[] {0}, new long[] {size - 9});
            Path file = write(shape, rows);
            try (RowsFile stored = new RowsFile(file, shape)) {
                Prefixes below = stored.profile(0).below(-7, -6, 1, size - 9, size - 8);
                assertThat(below.counts()).containsExactly(0, 2, 3, 3, 4, 5);
                assertThat(StoredRows.sums(below)[5]).isEqualTo(BigInteger.valueOf(2 * size - 31));
            }
            Files.delete(file);
        }
    }

    /** With so many columns, each chunk has only a few rows. */
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
        RowsShape shape = StoredRows.shape(columns);
        try (RowsFile stored = new RowsFile(write(shape, rows), shape)) {
            long[] offsets = new long[2000];
            for (int i = 0; i < 1000; i++) {
                int column = i;
                stored.values(i).reader().read(0, offsets, 2000);
                assertThat(offsets)
                        .isEqualTo(rows.stream().mapToLong(row -> row[column]).toArray());
            }
        }
    }

    @Test
    void refusesARowOutsideTheBoundsWhereverItIsInAChunk() throws IOException {
        for (long value : new long[] {-101, 101, Long.MIN_VALUE, Long.MAX_VALUE}) {
            for (int row : new int[] {0, 9, 999}) {
                try (RowsFileWriter writer = new RowsFileWriter(SHAPE, folder.resolve("rows.columns"))) {
                    for (int i = 0; i < 1000; i++) {
                        writer.add(new long[] {i == row ? value : 0, 0, 0, 0});
                    }
                    assertThatExceptionOfType(IOException.class).isThrownBy(writer::finish);
                }
                assertThat(folder).isEmptyDirectory();
            }
        }
    }

    @Test
    void leavesNothingUnlessItIsFinished() throws IOException {
        Path file = folder.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            for (int i = 0; i <= CHUNK; i++) {
                writer.add(new long[] {0, 0, 0, 0});
            }
            assertThat(folder).isNotEmptyDirectory();
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> new RowsFile(file, SHAPE).close());
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Another file has the name of the file that the writer needs for sorting. */
    @Test
    void leavesNothingIfItCannotBeFinished() throws IOException {
        Path foreign = Files.writeString(folder.resolve("rows.columns.sort.0"), "of somebody else");
        List<long[]> rows = random(300_000);
        assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> write(SHAPE, rows));
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(foreign));
        assertThat(foreign).hasContent("of somebody else");
    }

    @Test
    void tellsWhatCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("rows.columns"), "of somebody else");
        assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> new RowsFileWriter(SHAPE, file));
        assertThat(file).hasContent("of somebody else");
        Path nowhere = folder.resolve("missing/rows.columns");
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> new RowsFileWriter(SHAPE, nowhere));
    }

    /** Measures all that the writer ever allocates, as if nothing were ever freed. At any one time it has less. */
    @Test
    void takesNoMoreMemoryForMoreRows() throws IOException {
        allocatedFor(300_000);
        long few = allocatedFor(300_000);
        assertThat(few).isLessThan(60 << 20);
        assertThat(allocatedFor(1_200_000) - few).isLessThan(4 << 20);
    }

    private long allocatedFor(int rows) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        Path file = folder.resolve("rows.columns");
        long[] row = new long[4];
        long before = threads.getCurrentThreadAllocatedBytes();
        try (RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            for (int i = 0; i < rows; i++) {
                row[0] = i % 100;
                row[1] = i % 50_000;
                row[2] = 5_000_000 - i;
                row[3] = (i * 0x9e3779b97f4a7c15L) >> 24;
                writer.add(row);
            }
            writer.finish();
        }
        Files.delete(file);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
