package dev.purser.dataset.jail;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.RowsDatabase;
import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.dataset.ingest.IngestReport;
import dev.purser.dataset.ingest.Upload;
import dev.purser.dataset.ingest.UploadParser;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

import static dev.purser.dataset.DatasetsForTests.category;
import static dev.purser.dataset.DatasetsForTests.decimal;
import static dev.purser.dataset.DatasetsForTests.integer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Uploads through a real jail: what comes through it, what does not, and what becomes of files that attack. */
class JailedUploadTests {
    private static final Dataset PEOPLE = DatasetsForTests.rows(
            "people",
            integer("age", 0, 125),
            decimal("hours", "0.25", 0, 400, 160L),
            category("sex", 0, "F", "M", "true", "x,\"y\"\n"));
    private static final long MEGABYTE = 1 << 20;

    @TempDir
    private static Path root;

    private static DatasetFiles files;
    private static JailedParser parser;
    private static CsvIngest ingest;

    @BeforeAll
    static void start() throws IOException {
        files = new DatasetFiles(root.resolve("data"), InstanceId.draw());
        parser = new JailedParser(Files.createDirectory(root.resolve("parser")), 2, false);
        ingest = new CsvIngest(new RowsDatabase.Limits(64, 1), new byte[32], parser, DataSize.ofMegabytes(64));
    }

    @AfterAll
    static void stop() {
        parser.close();
    }

    private static IngestReport load(UploadFormat format, InputStream bytes) throws IOException {
        return ingest.load(PEOPLE, new Upload(format, bytes, null, rows -> {}), files.upload("people"));
    }

    private static List<String> stored() throws Exception {
        Path target = root.resolve("data/people");
        List<String> rows = new ArrayList<>();
        Path upload;
        try (var tree = Files.walk(target)) {
            upload = tree.filter(path -> path.endsWith("rows.duckdb"))
                    .findFirst()
                    .orElseThrow();
        }
        try (Connection connection =
                        RowsDatabase.openReadOnly(upload, files.spill("people"), new RowsDatabase.Limits(64, 1));
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT * FROM rows ORDER BY ALL")) {
            while (result.next()) {
                rows.add(result.getLong(1) + " " + result.getLong(2) + " " + result.getLong(3));
            }
        }
        return rows;
    }

    /** Both forms of the same rows. */
    private static Path[] written(String query) throws Exception {
        Path csv = root.resolve("written.csv");
        Path parquet = root.resolve("written.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + query + ") TO '" + csv + "' (FORMAT csv, HEADER)");
            statement.execute("COPY (" + query + ") TO '" + parquet + "' (FORMAT parquet)");
        }
        return new Path[] {csv, parquet};
    }

    private static ProblemException refusal(UploadFormat format, InputStream bytes) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> load(format, bytes));
        assertThat(refusal).isNotNull();
        assertThat(refusal.type()).isEqualTo(ProblemType.INVALID_DATA);
        return refusal;
    }

    @Test
    void theJailHoldsHereAndALesserOneIsNoticed() throws Exception {
        assertThat(parser.standing()).isEqualTo(JailedParser.Standing.JAILED);
        assertThat(Trial.waysOut(Jail.OWN_NETWORK, root)).isEmpty();
        assertThat(Trial.waysOut(Jail.LIMITS, root)).isEqualTo("u");
        assertThat(Trial.waysOut(Jail.NONE, root)).contains("u");
    }

    @Test
    void csvAndParquetAreTheSameRows() throws Exception {
        Path[] both = written("SELECT (i * 7) % 130 AS age, (i % 900) / 8.0 AS hours, i / 3 = 5 AS note, "
                + "CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'F' WHEN 2 THEN 'M' WHEN 3 THEN '' ELSE 'x,\"y\"' || chr(10) END"
                + " AS sex, (i / 7)::DECIMAL(20, 6) AS more, DATE '2020-01-01' + i::INT AS day FROM range(5000) t(i)");
        IngestReport csv = load(UploadFormat.CSV, Files.newInputStream(both[0]));
        List<String> rows = stored();
        IngestReport parquet = load(UploadFormat.PARQUET, Files.newInputStream(both[1]));
        assertThat(stored()).isEqualTo(rows).hasSize(5000);
        assertThat(parquet.fingerprint()).isPresent().isEqualTo(csv.fingerprint());
        assertThat(parquet.valuesClamped()).isEqualTo(csv.valuesClamped()).isPositive();
        assertThat(parquet.rowsRead()).isEqualTo(5000);
    }

    @Test
    void parquetOfAnotherTypeNamesItsColumn() throws Exception {
        for (String type : List.of("DATE '2020-01-01'", "[1]", "{'a': 1}", "'1'::BLOB", "INTERVAL 1 DAY")) {
            Path[] both = written("SELECT 1 AS hours, 'M' AS sex, " + type + " AS age");
            ProblemException refusal = refusal(UploadFormat.PARQUET, Files.newInputStream(both[1]));
            assertThat(refusal.members()).as(type).isEqualTo(Map.of("line", 1L, "column", "age"));
        }
        Path[] both = written("SELECT 1 AS hours, 'M' AS sex, if(i = 3, 'secret', '1') AS age FROM range(9) t(i)");
        ProblemException refusal = refusal(UploadFormat.PARQUET, Files.newInputStream(both[1]));
        assertThat(refusal.members()).isEqualTo(Map.of("line", 5L, "column", "age"));
        assertThat(refusal.detail()).doesNotContain("secret");
    }

    @Test
    void aSenderThatStopsIsNotARefusal() {
        InputStream torn = new SequenceInputStream(
                new ByteArrayInputStream("age,hours,sex\n1,2,F\n".getBytes(UTF_8)), new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("connection reset");
                    }
                });
        assertThat(catchThrowableOfType(IOException.class, () -> load(UploadFormat.CSV, torn)))
                .hasMessage("connection reset");
    }

    @Test
    void aParserThatDiesOrHangsEndsItsUploadOnly() throws Exception {
        try (UploadParser.Parsing parsing = parser.csv()) {
            parsing.close();
            assertThat(catchThrowableOfType(IOException.class, () -> {
                        if (parsing.frames().read(new byte[1], 0, 1) < 0) {
                            throw new IOException("ended");
                        }
                    }))
                    .isNotNull();
        }
        assertThat(load(UploadFormat.CSV, new ByteArrayInputStream("age,hours,sex\n1,2,F\n".getBytes(UTF_8)))
                        .rowsRead())
                .isEqualTo(1);
    }

    @Test
    void hostileFilesAreRefusedSoonAndInLittleMemory() throws Exception {
        byte[] parquet =
                Files.readAllBytes(written("SELECT i AS age, 1 AS hours, 'F' AS sex FROM range(9999) t(i)")[1]);
        Map<String, Supplier<InputStream>> csv = Map.of(
                "an open quote", () -> repeated("age,hours,sex\n1,2,\"", "x", 1 << 30),
                "a field of a gigabyte", () -> repeated("age,hours,sex\n1,2,", "x", 1 << 30),
                "a million columns", () -> repeated("age,hours,sex", ",c", 2_000_000),
                "NUL", () -> repeated("age,hours,sex\n1,2,", "\0", 100),
                "not text", () -> new ByteArrayInputStream(parquet));
        long before = residentBytes();
        for (var file : csv.entrySet()) {
            measure(file.getKey(), UploadFormat.CSV, file.getValue().get(), before);
        }
        measure("torn Parquet", UploadFormat.PARQUET, cut(parquet, parquet.length / 2), before);
        measure("an empty file", UploadFormat.PARQUET, InputStream.nullInputStream(), before);
        measure("CSV called Parquet", UploadFormat.PARQUET, repeated("age,hours,sex\n", "1,2,F\n", 9999), before);
        for (int at = 1; at <= 4; at++) {
            byte[] damaged = parquet.clone();
            // Of the length of the description, and of the four bytes that say that this is Parquet.
            Arrays.fill(damaged, parquet.length - 9 + at, parquet.length, (byte) 0x7F);
            measure("damaged end " + at, UploadFormat.PARQUET, new ByteArrayInputStream(damaged), before);
        }
        measure(
                "a string of thirty megabytes",
                UploadFormat.PARQUET,
                Files.newInputStream(written("SELECT 1 AS age, 1 AS hours, repeat('x', 30000000) AS sex")[1]),
                before);
        measure(
                "5000 unlisted columns",
                UploadFormat.PARQUET,
                Files.newInputStream(written("SELECT 1 AS hours, COLUMNS(*) FROM (SELECT "
                        + String.join(
                                ", ",
                                IntStream.range(0, 5000)
                                        .mapToObj(i -> "1 AS c" + i)
                                        .toList()) + ")")[1]),
                before);
    }

    private static void measure(String name, UploadFormat format, InputStream file, long before) throws IOException {
        long start = System.nanoTime();
        refusal(format, file);
        double seconds = (System.nanoTime() - start) / 1e9;
        long growth = residentBytes() - before;
        System.out.printf("%s: refused in %.2f s, the service %+d MB%n", name, seconds, growth / MEGABYTE);
        // Five seconds on a machine that has nothing else to do; this one may.
        assertThat(seconds).as(name).isLessThan(60);
    }

    private static long residentBytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static InputStream cut(byte[] bytes, int length) {
        return new ByteArrayInputStream(Arrays.copyOf(bytes, length));
    }

    private static InputStream repeated(String first, String text, long bytes) {
        byte[] piece = text.repeat(Math.max(1, 8192 / text.length())).getBytes(UTF_8);
        return new SequenceInputStream(new ByteArrayInputStream(first.getBytes(UTF_8)), new InputStream() {
            private long left = bytes;

            @Override
            public int read() {
                return left-- > 0 ? piece[(int) (left % piece.length)] : -1;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                if (left <= 0) {
                    return -1;
                }
                int count = (int) Math.min(Math.min(left, length), piece.length);
                System.arraycopy(piece, 0, into, offset, count);
                left -= count;
                return count;
            }
        });
    }
}
