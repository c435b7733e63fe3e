package dev.purser.rows;

import dev.purser.digest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RowsFileTests {
    private static final long HUGE = 1L << 40;
    private static final StoredRange SMALL = new StoredRange(-3, 4);
    private static final StoredRange TWO = new StoredRange(0, 1);
    private static final StoredRange MANY = new StoredRange(5, 70_000);
    private static final RowsShape SHAPE = shape(SMALL, TWO, new StoredRange(-HUGE, HUGE));

    @TempDir
    private Path folder;

    private static RowsShape shape(StoredRange... columns) {
        return StoredRows.shape(List.of(columns));
    }

    private Path write(RowsShape shape, long[]... rows) throws IOException {
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

    private Path some() throws IOException {
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
            rows.values(0).reader().read(0, new long[0], 0);
        }
    }

    /** Datasets outlive versions of the service, so a change of the format is a new version of the format. */
    @Test
    void itsFormatIsFixed() throws Exception {
        RowsShape shape = shape(SMALL, MANY, new StoredRange(-HUGE, HUGE));
        byte[] bytes = Files.readAllBytes(write(shape, new long[] {4, 262, -HUGE}, new long[] {-3, 262, -HUGE}));

        byte[][] values = {
            {7, 0}, {1, 1, 0, 0, 1, 1, 0, 0}, new byte[16],
        };
        long[][] profiles = {
            {Long.MIN_VALUE, 0, 0, 0, -3, 1, -3, -1, 4, 2, 1, 0},
            {Long.MIN_VALUE, 0, 0, 0, 262, 2, 524, 0},
            {Long.MIN_VALUE, 0, 0, 0, -HUGE, 2, -2 * HUGE, -1},
        };
        ByteBuffer expected = ByteBuffer.allocate(bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        expected.put("purserow".getBytes(US_ASCII)).putInt(4).putInt(3).putLong(2);
        expected.put(Arrays.copyOf("some".getBytes(US_ASCII), 64)).put(new byte[32]);
        for (int i = 0; i < 3; i++) {
            StoredRange range = shape.columns().get(i);
            expected.putLong(range.lower()).putLong(range.upper()).putLong(profiles[i].length / 4);
            expected.putInt((int) crc32c(values[i])).putInt((int) crc32c(bytes(profiles[i])));
        }
        expected.putLong(crc32c(Arrays.copyOf(expected.array(), expected.position())));
        Arrays.stream(values).forEach(expected::put);
        Arrays.stream(profiles).forEach(profile -> expected.put(bytes(profile)));
        assertThat(expected.hasRemaining()).isFalse();
        assertThat(bytes).isEqualTo(expected.array());
    }

    private static byte[] bytes(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.stream(words).forEach(bytes::putLong);
        return bytes.array();
    }

    private static long crc32c(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes);
        return checksum.getValue();
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

    /** The file has two full chunks of 512 rows, and one chunk of 3. */
    @Test
    void damageOfEveryChunkIsNoticedBeforeItIsRead() throws Exception {
        RowsShape shape = shape(Collections.nCopies(1000, TWO).toArray(StoredRange[]::new));
        long[] row = new long[1000];
        Path file = write(shape, Collections.nCopies(1027, row).toArray(long[][]::new));
        byte[] bytes = Files.readAllBytes(file);
        int header = RowsFileHeader.bytes(1000);
        int profiles = header + 1000 * 1027;
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

    /** Damaged bytes are not remembered as a profile or as values that were verified. */
    @Test
    void damageIsNoticedEveryTime() throws Exception {
        Path file = some();
        byte[] bytes = Files.readAllBytes(file);
        bytes[RowsFileHeader.bytes(3)] ^= 1;
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        try (RowsFile rows = new RowsFile(file, SHAPE)) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> rows.values(0).reader());
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> rows.profile(2).below(0));
            }
            rows.values(1).reader();
            rows.profile(0).below(0);
        }
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
    void theRowsOfAnotherDatasetOrRegistrationAreNotTaken() throws Exception {
        Path file = some();
        for (RowsShape other : List.of(
                new RowsShape("other", SHAPE.registrationDigest(), SHAPE.columns(), false),
                new RowsShape(SHAPE.dataset(), "1".repeat(64), SHAPE.columns(), false))) {
            assertThatExceptionOfType(OtherRowsException.class).isThrownBy(() -> readAll(file, other));
        }
    }

    @Test
    void isKnownByItsHeader() throws Exception {
        Path file = Files.createTempDirectory(folder, "rows").resolve("rows.columns");
        byte[] digest;
        try (RowsFileWriter writer = new RowsFileWriter(SHAPE, file)) {
            writer.add(new long[] {-3, 1, 2});
            digest = writer.finish();
        }
        byte[] header = Arrays.copyOf(Files.readAllBytes(file), RowsFileHeader.bytes(3));
        assertThat(digest).isEqualTo(Sha256.of(header));
        try (RowsFile rows = new RowsFile(file, SHAPE);
                RowsFile others = new RowsFile(write(SHAPE, new long[] {-3, 1, 3}), SHAPE)) {
            assertThat(rows.digest()).isEqualTo(HexFormat.of().formatHex(digest));
            assertThat(others.digest()).isNotNull().isNotEqualTo(rows.digest());
        }
    }

    /** Java closes a channel whose reader is interrupted. */
    @Test
    void saysThatAnInterruptClosedIt() throws Exception {
        try (RowsFile rows = new RowsFile(some(), SHAPE)) {
            assertThat(rows.isOpen()).isTrue();
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(ClosedChannelException.class)
                    .isThrownBy(() -> rows.profile(0).below(0));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(rows.isOpen()).isFalse();
        }
    }

    @Test
    void rowsThatAreNotThereAreNotOpened() {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> new RowsFile(folder.resolve("none"), SHAPE).close());
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
