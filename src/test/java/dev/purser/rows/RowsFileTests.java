package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RowsFileTests {
    private static final long HUGE = 1L << 40;
    private static final StoredRange SMALL = new StoredRange(-3, 4);
    private static final StoredRange TWO = new StoredRange(0, 1);
    private static final RowsShape SHAPE = shape(SMALL, TWO, new StoredRange(-HUGE, HUGE));

    @TempDir
    private Path folder;

    private static RowsShape shape(StoredRange... columns) {
        return new RowsShape(List.of(columns), 100_000_000);
    }

    private Path write(RowsShape shape, long[]... rows) throws IOException, SQLException {
        Path home = Files.createTempDirectory(folder, "rows");
        Path file = home.resolve("rows.columns");
        try (RowsFileWriter writer = new RowsFileWriter(shape, file)) {
            for (long[] row : rows) {
                writer.add(row);
            }
            writer.finish();
        }
        return file;
    }

    private Path some() throws IOException, SQLException {
        return write(SHAPE, new long[] {-3, 1, HUGE}, new long[] {4, 0, HUGE}, new long[] {-3, 1, -HUGE});
    }

    @Test
    void keepsTheValuesOfARowTogether() throws Exception {
        Path file = some();
        assertThat(StoredRows.in(file, SHAPE))
                .containsExactly(List.of(-3L, 1L, HUGE), List.of(4L, 0L, HUGE), List.of(-3L, 1L, -HUGE));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void knowsCountsAndSumsBelowEveryEdge() throws Exception {
        try (RowsFile rows = new RowsFile(some(), SHAPE)) {
            assertThat(below(rows, 0, Long.MIN_VALUE)).isEqualTo("0, 0");
            assertThat(below(rows, 0, -3)).isEqualTo("0, 0");
            assertThat(below(rows, 0, -2)).isEqualTo("2, -6");
            assertThat(below(rows, 0, 4)).isEqualTo("2, -6");
            assertThat(below(rows, 0, 5)).isEqualTo("3, -2");
            assertThat(below(rows, 0, Long.MAX_VALUE)).isEqualTo("3, -2");
            assertThat(below(rows, 1, 1)).isEqualTo("1, 0");
            assertThat(below(rows, 2, HUGE)).isEqualTo("1, " + -HUGE);
            assertThat(below(rows, 2, HUGE + 1)).isEqualTo("3, " + HUGE);
        }
    }

    private static String below(RowsFile rows, int column, long edge) throws IOException {
        Prefixes below = rows.profile(column).below(edge);
        return below.counts()[0] + ", " + StoredRows.sums(below)[0];
    }

    @Test
    void holdsNoRowsToo() throws Exception {
        try (RowsFile rows = new RowsFile(write(SHAPE), SHAPE)) {
            assertThat(rows.rows()).isZero();
            assertThat(below(rows, 0, 5)).isEqualTo("0, 0");
        }
    }

    /** Other programs and later versions rely on it: a change is a new version. */
    @Test
    void itsFormatIsFixed() throws Exception {
        byte[] bytes = Files.readAllBytes(write(SHAPE, new long[] {4, 1, -HUGE}));
        ByteBuffer expected = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        expected.put("purserow".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        expected.putInt(2).putInt(3).putLong(1);
        expected.putLong(-3).putLong(4).putLong(2).putLong(264).putLong(0);
        expected.putLong(0).putLong(1).putLong(2).putLong(264).putLong(0);
        expected.putLong(-HUGE).putLong(HUGE).putLong(1).putLong(64).putLong(0).putLong(0);
        expected.putLong(7).putLong(1).putLong(0);
        for (int offset : new int[] {7, 1}) {
            expected.putLong(0);
            IntStream.range(0, 64).forEach(edge -> expected.putInt(edge > offset ? 1 : 0));
        }
        expected.putLong(Long.MIN_VALUE).putLong(0).putLong(0).putLong(0);
        expected.putLong(-HUGE).putLong(1).putLong(-HUGE).putLong(-1);
        assertThat(expected.hasRemaining()).isFalse();
        ByteBuffer found = ByteBuffer.wrap(bytes.clone());
        for (int checksum : new int[] {56, 96, 136, 144}) {
            assertThat(found.getLong(checksum)).isNotZero();
            found.putLong(checksum, 0);
        }
        assertThat(found.array()).isEqualTo(expected.array());
    }

    @Test
    void nothingOfAnotherColumnIsInTheGaps() throws Exception {
        RowsShape shape = shape(new StoredRange(-HUGE, HUGE), SMALL);
        byte[] bytes = Files.readAllBytes(write(shape, new long[] {HUGE - 1, 4}));
        int at = (int) RowsFileHeader.bytes(2);
        assertThat(Arrays.copyOfRange(bytes, at, at + 16))
                .containsExactly(-1, -1, -1, -1, -1, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void everyDamagedByteIsNoticedBeforeItIsRead() throws Exception {
        Path file = some();
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            Files.write(file, damaged);
            assertThatExceptionOfType(IOException.class).as("byte %d", at).isThrownBy(() -> readAll(file, SHAPE));
        }
        Files.write(file, bytes);
        readAll(file, SHAPE);
    }

    /** Two full chunks of 512 rows, and one of 3 whose lanes are filled up. */
    @Test
    void damageOfEveryChunkIsNoticedBeforeItIsRead() throws Exception {
        RowsShape shape = shape(Collections.nCopies(1000, TWO).toArray(StoredRange[]::new));
        long[] row = new long[1000];
        Path file = write(shape, Collections.nCopies(1027, row).toArray(long[][]::new));
        byte[] bytes = Files.readAllBytes(file);
        int header = (int) RowsFileHeader.bytes(1000);
        int profiles = (int) new ValuesLayout(shape.columns()).end(1027);
        assertThat(profiles).isEqualTo(header + 1000 * (512 + 512 + 8));
        Random random = new Random(9);
        for (int i = 0; i < 40; i++) {
            int last = header + 2 * 512 * 1000;
            int at = i % 2 == 0 ? random.nextInt(header, last) : random.nextInt(last, profiles);
            bytes[at] ^= 1;
            Files.write(file, bytes);
            assertThatExceptionOfType(IOException.class).as("byte %d", at).isThrownBy(() -> readAll(file, shape));
            bytes[at] ^= 1;
        }
        Files.write(file, bytes);
        readAll(file, shape);
    }

    @Test
    void aFileThatIsCutOffOrTooLongIsNotOpened() throws Exception {
        Path file = some();
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 0; length <= bytes.length + 1; length++) {
            if (length != bytes.length) {
                Files.write(file, Arrays.copyOf(bytes, length));
                assertThatExceptionOfType(IOException.class)
                        .as("length %d", length)
                        .isThrownBy(() -> new RowsFile(file, SHAPE).close());
            }
        }
    }

    @Test
    void theRowsOfOtherColumnsAreNotTaken() throws Exception {
        Path file = some();
        RowsShape fewer = shape(SMALL);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> readAll(file, fewer));
        RowsShape wider = shape(new StoredRange(-3, 5), TWO, new StoredRange(-HUGE, HUGE));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> readAll(file, wider));
    }

    @Test
    void rowsOutsideTheBoundsAreNotWritten() {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> write(SHAPE, new long[] {5, 0, 0}));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> write(SHAPE, new long[] {-4, 0, 0}));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> write(SHAPE, new long[] {0, 2, 0}));
    }

    private static void readAll(Path file, RowsShape shape) throws IOException {
        try (RowsFile rows = new RowsFile(file, shape)) {
            for (int column = 0; column < shape.columns().size(); column++) {
                rows.values(column).reader();
                rows.profile(column).below();
            }
        }
    }
}
