package dev.purser.dataset.parser;

import dev.purser.libc.Libc;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The program of the jailed process. It is told on its standard input what to do, in one line:
 *
 * <pre>
 * CSV               the file follows on standard input
 * PARQUET path path the file is at the first path, all of it once standard input ends; at the second are {@link BatchSlots}
 * TRIAL port path   try to get out; the port and the path stand outside
 * </pre>
 *
 * with tabs between the words. It then shuts itself in, says {@link FieldFrames#READY} on its standard output and answers in
 * {@link FieldFrames}. Whatever it has to load or unpack it does before, by going through small files of its own, and while no order
 * comes: afterwards it can open nothing, not even a class.
 */
public final class ParseUpload {
    /** The first argument that starts this program. */
    public static final String COMMAND = "parse-upload";

    private static final int MAX_ORDER = 8192;
    private static final Libc POLL = Libc.function("poll");
    private static final int POLLIN = 1;
    private static final int MILLIS_UNTIL_IDLE = 1000;
    private static final Libc FCNTL = Libc.function("fcntl");
    private static final int F_SETPIPE_SZ = 1031;
    private static final int PIPE_BYTES = 1 << 20;
    /** Every rule of CSV once, and lines inside a field. */
    private static final String[] REHEARSALS = {
        "a,\"b\n\"\r\nü\"\"\"\",\n", "x\r\n\"ü\n\"\n,", "\"", "a\"", "\"\"a", "\r", "\0"
    };

    private static final Path ANY_FILE = Path.of(System.getProperty("java.home"), "release");
    /** So many rows, so many batches and some ends before that Java compiles all of what hands them over. */
    private static final String[] MANY_ROWS = {
        "(SELECT i::INTEGER AS a, i::DECIMAL(9, 2) AS b, i::DOUBLE AS c, (i % 9)::VARCHAR AS d, NULLIF(i, 7) AS e,"
                + " repeat('x', (i % 20)::INTEGER) AS f FROM range(600000) t(i))",
        "(SELECT i AS a, 'x' AS b FROM range(600000) t(i))",
        "(SELECT i AS a, 'x' AS b FROM range(30000000) t(i))"
    };

    /** Every way in which a value is handed over, and what is refused. */
    private static final String[] REHEARSED_ROWS = {
        "(SELECT 1 AS a, 'ü' AS b, NULL AS c, -0.5::DECIMAL(4, 2) AS d, 1.5::DOUBLE AS e, -1e300::DOUBLE AS f, repeat('x', 99) AS g)",
        "(SELECT chr(0) AS a)",
        "(SELECT error('refused'))"
    };

    private ParseUpload() {}

    /**
     * Carries out one order.
     *
     * @throws IOException if the service is gone, or this process cannot be shut in
     * @throws SQLException if what reads Parquet cannot be started
     */
    public static void run() throws IOException, SQLException {
        InputStream in = new FileInputStream(FileDescriptor.in);
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        widenPipe(0);
        widenPipe(1);
        rehearseCsv();
        Confinement.rehearse();
        boolean parquetIsReady = isIdle() && loadAhead();
        String[] order = readLine(in).split("\t");
        switch (order[0]) {
            case "CSV" -> {
                shutIn(null, out);
                csv(in, out);
            }
            case "PARQUET" -> {
                Path file = Path.of(order[1]);
                BatchSlots slots = BatchSlots.mapForGood(Path.of(order[2]));
                if (!parquetIsReady) {
                    rehearseParquet();
                }
                ParquetRows parquet = ParquetRows.ofFile(file);
                shutIn(file, out);
                awaitEnd(in);
                parquet(parquet, new FieldWriter(out, slots, ParseUpload::isStillRead), ParquetFooter.isModest(file));
            }
            case "TRIAL" -> {
                Breakout breakout = new Breakout(Integer.parseInt(order[1]), Path.of(order[2]));
                breakout.successes();
                // The jail of Parquet is the wider one.
                shutIn(Path.of("/dev/null"), out);
                out.write(breakout.successes());
                out.write(FieldFrames.END);
            }
            default -> throw new IOException("no such order");
        }
    }

    /** Whether no order comes for a second: then there is time to load what Parquet takes, and CSV does not. */
    private static boolean isIdle() {
        return poll(0, POLLIN, MILLIS_UNTIL_IDLE) == 0;
    }

    /** Whether the service has not closed its end of standard output, as it has when it is gone. */
    private static boolean isStillRead() {
        return poll(1, 0, 0) == 0;
    }

    /** How many of one descriptor are ready. */
    private static int poll(int descriptor, int events, int millis) {
        try (Arena arena = Arena.ofConfined()) {
            // struct pollfd: descriptor, what is looked for, and its two next bytes what was found
            MemorySegment polled = arena.allocate(JAVA_LONG);
            polled.set(JAVA_INT, 0, descriptor);
            polled.set(JAVA_INT, JAVA_INT.byteSize(), events);
            return POLL.call(polled.address(), 1, millis);
        }
    }

    /** Whether that went well. What fails here fails again where Parquet is asked for; CSV does not need it. */
    private static boolean loadAhead() {
        try {
            rehearseParquet();
            rehearseLongParquet();
            return true;
        } catch (SQLException | IOException | LinkageError | RuntimeException later) {
            return false;
        }
    }

    /** So that neither side waits for the other after each few rows. What the system refuses is only slower. */
    private static void widenPipe(int descriptor) {
        FCNTL.call(descriptor, F_SETPIPE_SZ, PIPE_BYTES);
    }

    private static void shutIn(@Nullable Path readable, OutputStream out) throws IOException {
        Confinement.apply(readable);
        out.write(FieldFrames.READY);
        out.flush();
    }

    private static void rehearseCsv() throws IOException {
        for (String rehearsal : REHEARSALS) {
            csv(new ByteArrayInputStream(rehearsal.getBytes(StandardCharsets.UTF_8)), OutputStream.nullOutputStream());
        }
    }

    private static void rehearseParquet() throws IOException, SQLException {
        ParquetFooter.isModest(ANY_FILE);
        BatchSlots.rehearse(ANY_FILE);
        for (String rows : REHEARSED_ROWS) {
            rehearse(rows, null);
        }
    }

    /** As far as it gets until an order comes. */
    private static void rehearseLongParquet() throws IOException, SQLException {
        try (Arena arena = Arena.ofConfined()) {
            BatchSlots slots = BatchSlots.unshared(arena);
            for (int i = 0; i < MANY_ROWS.length && poll(0, POLLIN, 0) == 0; i++) {
                rehearse(MANY_ROWS[i], slots);
            }
        }
    }

    private static void rehearse(String rows, @Nullable BatchSlots slots) throws IOException, SQLException {
        try (OutputStream nowhere = new FileOutputStream("/dev/null")) {
            FieldWriter writer = new FieldWriter(nowhere, slots, ParseUpload::isStillRead);
            parquet(ParquetRows.ofQuery(rows), writer, true);
        }
    }

    /** Hands over the fields of {@code csv}. Reads it to its end or to what is malformed. */
    public static void csv(InputStream csv, OutputStream frames) throws IOException {
        FieldWriter writer = new FieldWriter(frames);
        try {
            fields(csv, 1, writer);
            writer.end();
        } catch (MalformedUpload malformed) {
            writer.refused(malformed);
        }
    }

    private static void parquet(ParquetRows parquet, FieldWriter writer, boolean modest) throws IOException {
        try (parquet) {
            if (!modest) {
                throw new MalformedUpload(1, FormRule.NOT_PARQUET);
            }
            parquet.write(writer);
            writer.end();
        } catch (SQLException e) {
            writer.refused(new MalformedUpload(1, FormRule.NOT_PARQUET));
        } catch (MalformedUpload malformed) {
            writer.refused(malformed);
        }
    }

    private static void fields(InputStream csv, long firstLine, FieldWriter writer) throws IOException {
        CsvScanner scanner = new CsvScanner(csv, firstLine);
        while (scanner.next()) {
            writer.field(scanner);
        }
    }

    private static void awaitEnd(InputStream in) throws IOException {
        if (in.read() >= 0) {
            throw new IOException("no such order");
        }
    }

    /** Byte by byte: what follows the line belongs to the file. */
    private static String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() == MAX_ORDER) {
                throw new IOException("no order came");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
