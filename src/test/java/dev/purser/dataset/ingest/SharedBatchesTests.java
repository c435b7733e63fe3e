package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.parser.BatchSlots;
import dev.purser.dataset.parser.ParquetFrames;
import dev.purser.problem.ProblemException;
import dev.purser.task.Task;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Batches that come through memory which parser and service share, and what a hostile parser can do with it. */
class SharedBatchesTests {
    private static final Dataset NUMBERS = DatasetsForTests.rows("x", DatasetsForTests.integer("n", 0, 1_000_000));
    private static final String HEADER = "\177N\0\4\0\0\0\0\0\0\0\0\u0081n";
    private static final String ONE_ROW = "\177S\0\0\0\1";

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofShared();
    private BatchSlots parsers;
    private BatchSlots services;

    @BeforeEach
    void map() throws IOException {
        Path file = folder.resolve("batches");
        try (RandomAccessFile empty = new RandomAccessFile(file.toFile(), "rw")) {
            empty.setLength(BatchSlots.BYTES);
        }
        parsers = BatchSlots.map(file, arena);
        services = BatchSlots.map(file, arena);
    }

    @AfterEach
    void unmap() {
        arena.close();
    }

    private SharedBatches shared() {
        return shared(Long.MAX_VALUE);
    }

    private SharedBatches shared(long mostBytes) {
        return new SharedBatches(
                services, new BoundedFrames(InputStream.nullInputStream(), new AtomicLong(), 0, mostBytes));
    }

    private Path written(String query) throws SQLException {
        Path file = folder.resolve("rows.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet)");
        }
        return file;
    }

    /** Far more batches than slots, and some that do not fit into one. */
    @Test
    void rowsAreThoseThatTheStreamWouldBring() throws Exception {
        int count = 3 * BatchSlots.SLOTS * 2048;
        Path file =
                written("SELECT i AS n, repeat('x', CASE WHEN i % 20000 = 0 THEN 900000 ELSE i % 30 END::INTEGER) AS t,"
                        + " CASE WHEN i % 3 = 0 THEN i / 4 END AS d FROM range(" + count + ") t(i)");
        PipedInputStream frames = new PipedInputStream(1 << 16);
        OutputStream into = new PipedOutputStream(frames);
        Task<Void> parser = Task.start("parser", () -> {
            try (into) {
                ParquetFrames.write(file, into, parsers, () -> true);
            }
            return null;
        });
        FingerprintDigest digest = new FingerprintDigest(new byte[1]);
        ParquetColumns rows = new ParquetColumns(NUMBERS, new FrameBuffer(frames), shared(), digest);
        long next = 0;
        while (rows.next()) {
            for (int i = 0; i < rows.batch().size(); i++) {
                assertThat(rows.batch().columns()[0][i]).isEqualTo(next++);
            }
        }
        parser.join();
        assertThat(next).isEqualTo(count);
        FingerprintDigest streamed = new FingerprintDigest(new byte[1]);
        ParquetColumns same = new ParquetColumns(
                NUMBERS, new FrameBuffer(new ByteArrayInputStream(ParquetFrames.of(file))), null, streamed);
        while (same.next()) {
            assertThat(same.batch().size()).isPositive();
        }
        assertThat(digest.fingerprint()).isEqualTo(streamed.fingerprint());
        assertThat(services.taken()).isGreaterThan(2 * BatchSlots.SLOTS);
    }

    @Test
    void aParserThatNobodyReadsFromEnds() throws Exception {
        Path file = written("SELECT i AS n FROM range(1000000) t(i)");
        AtomicInteger looks = new AtomicInteger();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ParquetFrames.write(
                        file, OutputStream.nullOutputStream(), parsers, () -> looks.incrementAndGet() < 5))
                .withMessage("nobody takes the batches");
        assertThat(looks).hasValue(5);
    }

    private ParquetColumns rows(String frames, @Nullable SharedBatches shared) {
        byte[] bytes = (HEADER + frames).getBytes(ISO_8859_1);
        return new ParquetColumns(
                NUMBERS, new FrameBuffer(new ByteArrayInputStream(bytes)), shared, new FingerprintDigest(new byte[1]));
    }

    private void put(int slot, byte... batch) {
        MemorySegment.copy(MemorySegment.ofArray(batch), 0, parsers.slot(slot), 0, batch.length);
    }

    @Test
    void aBatchIsReadFromItsSlot() throws Exception {
        put(0, (byte) 0, (byte) 7, (byte) 0, (byte) 0, (byte) 0);
        put(1, (byte) 0, (byte) 8, (byte) 0, (byte) 0, (byte) 0);
        ParquetColumns rows = rows(ONE_ROW + "\0\0\0\5" + ONE_ROW + "\0\0\0\5\177E", shared());
        assertThat(rows.next()).isTrue();
        assertThat(rows.batch().columns()[0][0]).isEqualTo(7);
        assertThat(parsers.taken()).isEqualTo(1);
        assertThat(rows.next()).isTrue();
        assertThat(rows.batch().columns()[0][0]).isEqualTo(8);
        assertThat(rows.next()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\177S\0\0\0\1\0\0\0\4", // one byte short
                "\177S\0\0\0\1\0\0\0\6", // one byte more than its columns
                "\177S\0\0\0\1\0\0\0\0",
                "\177S\0\0\0\1\u00ff\u00ff\u00ff\u00ff",
                "\177S\0\0\0\1\0\10\0\1", // longer than a slot
                "\177S\0\0\0\0\0\0\0\5",
                "\177S\0\0\10\1\0\0\0\5", // more rows than a batch has
                "\177S\0\0\0\1"
            })
    void whatIsNotTheFormIsAFailureOfTheParser(String frames) {
        put(0, (byte) 0, (byte) 7, (byte) 0, (byte) 0, (byte) 0, (byte) 0);
        assertThatThrownBy(() -> rows(frames + "\177E", shared()).next()).isInstanceOf(ParserFailure.class);
    }

    @Test
    void withoutSharedMemoryThereAreNoSharedBatches() {
        assertThatThrownBy(() -> rows(ONE_ROW + "\0\0\0\5\177E", null).next()).isInstanceOf(ParserFailure.class);
    }

    @Test
    void whatTheParserWritesLaterChangesNothing() throws Exception {
        SharedBatches shared = shared();
        FrameBuffer buffer = FrameBuffer.ofMemory();
        put(0, (byte) 1, (byte) 2, (byte) 3);
        shared.next(3, buffer);
        put(0, (byte) 9, (byte) 9, (byte) 9);
        assertThat(Arrays.copyOf(buffer.bytes, 3)).containsExactly(1, 2, 3);
        put(1, (byte) 4);
        shared.next(1, buffer);
        assertThatThrownBy(() -> buffer.require(2)).isInstanceOf(ParserFailure.class);
    }

    /** A file of a few bytes can unpack to any number, through this memory too. */
    @Test
    void whatComesThroughSharedMemoryIsBoundedToo() throws Exception {
        SharedBatches shared = shared(1000);
        FrameBuffer buffer = FrameBuffer.ofMemory();
        shared.next(600, buffer);
        shared.next(400, buffer);
        assertThatThrownBy(() -> shared.next(1, buffer)).isInstanceOf(ParserFailure.class);
        assertThat(parsers.taken()).isEqualTo(2);
    }

    @Test
    void noiseEndsInAFailure() {
        Random random = new Random(4);
        for (int i = 0; i < 1000; i++) {
            byte[] noise = new byte[1 << 12];
            random.nextBytes(noise);
            put(0, noise);
            char length = (char) random.nextInt(256);
            assertThat(catchThrowable(() -> {
                        ParquetColumns rows = rows(
                                "\177S\0\0" + (char) random.nextInt(8) + (char) random.nextInt(256) + "\0\0\17"
                                        + length,
                                shared());
                        while (rows.next()) {
                            assertThat(rows.batch().size()).isPositive();
                        }
                    }))
                    .isInstanceOfAny(ParserFailure.class, ProblemException.class);
        }
    }
}
