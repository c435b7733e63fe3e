package dev.purser.dataset.jail;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Notation;
import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.dataset.ingest.IngestReport;
import dev.purser.dataset.ingest.Upload;
import dev.purser.dataset.ingest.UploadParser;
import dev.purser.dataset.parser.ParseUpload;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.StoredRows;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Uploads through a real jail: what comes through it, what does not, and what becomes of files that attack. */
class JailedUploadTests {
    private static final Dataset PEOPLE = DatasetsForTests.rows(
            "people",
            integer("age", 0, 125),
            decimal("hours", "0.25", 0, 400, 160L),
            category("sex", 0, "F", "M", "true", "x,\"y\"\n"));
    /** Nothing in the rows of this one is refused, so that whatever a file unpacks to has to be taken. */
    private static final Dataset VISITS = DatasetsForTests.of(
            "visits", new PrivacyUnit.Column("user", 1), 2_000_000, List.of(integer("age", 0, 110)));

    private static final Dataset LENIENT = DatasetsForTests.rows("lenient", category("sex", 0, "F", "M"));

    private static final long MEGABYTE = 1 << 20;

    @TempDir
    private static Path root;

    private static DatasetFiles files;
    private static JailedParser parser;
    private static CsvIngest ingest;

    @BeforeAll
    static void start() throws IOException {
        files = new DatasetFiles(root.resolve("data"), InstanceId.draw());
        parser = new JailedParser(Files.createDirectory(root.resolve("parser")), 2, false, Duration.ofSeconds(1));
        ingest = new CsvIngest(new byte[32], parser, DataSize.ofMegabytes(64));
    }

    @AfterAll
    static void stop() {
        parser.close();
    }

    private static IngestReport load(UploadFormat format, InputStream bytes) throws IOException {
        return load(PEOPLE, format, bytes);
    }

    private static IngestReport load(Dataset dataset, UploadFormat format, InputStream bytes) throws IOException {
        return ingest.load(dataset, new Upload(format, bytes, null, rows -> {}), files.upload(dataset.id()));
    }

    private static List<List<Long>> stored(Dataset dataset) throws IOException {
        files.commit(dataset.id());
        List<List<Long>> rows = StoredRows.in(files.data(dataset.id()), dataset.shape());
        files.delete(dataset.id());
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
        return refusal(PEOPLE, format, bytes);
    }

    private static ProblemException refusal(Dataset dataset, UploadFormat format, InputStream bytes) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> load(dataset, format, bytes));
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
    void twoParsersWaitAndUploadsGetThem() throws Exception {
        parser.prepareNext();
        parser.prepareNext();
        Set<Long> before = children();
        parser.prepareNext();
        assertThat(newChildren(before)).as("a third").isEmpty();
        try (UploadParser.Parsing first = parser.csv();
                UploadParser.Parsing second = parser.csv()) {
            first.input().close();
            second.input().close();
            assertThat(newChildren(before)).as("while both parse").isEmpty();
        }
        assertThat(newChildren(before)).as("once they were needed").isNotEmpty();
        awaitNewChildren(before, 2);
    }

    @Test
    void aParserIsReplacedOnceNoUploadIsParsedAnyMore() throws Exception {
        parser.prepareNext();
        parser.prepareNext();
        Set<Long> before = children();
        try (UploadParser.Parsing next = afterOneUpload()) {
            Thread.sleep(1500);
            assertThat(newChildren(before)).as("while another is parsed").isEmpty();
            next.input().close();
        }
        awaitNewChildren(before, 2);
    }

    @Test
    void aParserThatCouldNotBeUsedIsReplacedToo() throws Exception {
        parser.prepareNext();
        parser.prepareNext();
        Set<Long> before = children();
        assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> parser.parquet(root.resolve("none")));
        awaitNewChildren(before, 1);
    }

    /** What the next upload gets. */
    private static UploadParser.Parsing afterOneUpload() throws IOException {
        try (UploadParser.Parsing parsing = parser.csv()) {
            parsing.input().close();
        }
        return parser.csv();
    }

    private static void awaitNewChildren(Set<Long> before, int count) throws InterruptedException {
        Instant deadline = Instant.now().plusSeconds(30);
        while (newChildren(before).size() < count) {
            assertThat(Instant.now()).isBefore(deadline);
            Thread.sleep(20);
        }
        assertThat(newChildren(before)).hasSize(count);
    }

    @Test
    void aParserThatHasWaitedHasDuckDbAndStillTakesEitherFormat() throws Exception {
        for (UploadFormat format : UploadFormat.values()) {
            parser.prepareNext();
            Instant deadline = Instant.now().plusSeconds(30);
            while (children().stream().noneMatch(JailedUploadTests::hasDuckDb)) {
                assertThat(Instant.now()).isBefore(deadline);
                Thread.sleep(20);
            }
            Path[] both = written("SELECT 30 AS age, 1.5 AS hours, 'F' AS sex");
            assertThat(load(format, Files.newInputStream(both[format.ordinal()]))
                            .rowsStored())
                    .isEqualTo(1);
            stored(PEOPLE);
        }
    }

    /** As on a host whose temporary folder is full. */
    @Test
    void aParserThatCannotLoadDuckDbStillTakesCsv() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-Djava.io.tmpdir=/nowhere",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.purser.PurserApplication",
                        ParseUpload.COMMAND)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (OutputStream order = process.getOutputStream()) {
            Thread.sleep(Duration.ofSeconds(4));
            order.write("CSV\na\n".getBytes(UTF_8));
        }
        assertThat(process.getInputStream().readAllBytes())
                .startsWith('!', 0x81, 'a')
                .endsWith('E');
    }

    private static boolean hasDuckDb(long process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process), "maps"))
                    .contains("libduckdb");
        } catch (IOException ended) {
            return false;
        }
    }

    private static Set<Long> newChildren(Set<Long> before) {
        Set<Long> now = children();
        now.removeAll(before);
        return now;
    }

    private static Set<Long> children() {
        return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    @Test
    void csvAndParquetAreTheSameRows() throws Exception {
        Path[] both = written("SELECT (i * 7) % 130 AS age, (i % 900) / 8.0 AS hours, i / 3 = 5 AS note, "
                + "CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'F' WHEN 2 THEN 'M' WHEN 3 THEN '' ELSE 'x,\"y\"' || chr(10) END"
                + " AS sex, (i / 7)::DECIMAL(20, 6) AS more, DATE '2020-01-01' + i::INT AS day FROM range(5000) t(i)");
        IngestReport csv = load(UploadFormat.CSV, Files.newInputStream(both[0]));
        List<List<Long>> rows = stored(PEOPLE);
        IngestReport parquet = load(UploadFormat.PARQUET, Files.newInputStream(both[1]));
        assertThat(stored(PEOPLE)).isEqualTo(rows).hasSize(5000);
        assertThat(parquet.fingerprint()).isPresent().isEqualTo(csv.fingerprint());
        assertThat(parquet.valuesClamped()).isEqualTo(csv.valuesClamped()).isPositive();
        assertThat(parquet.rowsRead()).isEqualTo(5000);
    }

    @Test
    void truthValuesDatesAndTimestampsOfParquetAreThoseOfItsText() throws Exception {
        Dataset events = DatasetsForTests.rows(
                "events",
                DatasetsForTests.truth("open", null),
                new Column.Numeric("day", new Notation.Dates(), -10_000, 30_000, 0L),
                time("at", "0.001"),
                time("exactly", "0.001"),
                time("zoned", "1"));
        Path[] both = written("SELECT i % 3 = 0 AS open, DATE '1960-02-28' + (37 * i)::INT AS day,"
                + " TIMESTAMP '1969-12-31 23:59:58.5' + INTERVAL (i * 1237) MILLISECOND AS at,"
                + " make_timestamp_ns(1700000000123456789 + i * 999999999) AS exactly,"
                + " TIMESTAMPTZ '2020-03-29 00:30:00+00' + INTERVAL (i) MINUTE AS zoned FROM range(1000) t(i)");
        IngestReport csv = load(events, UploadFormat.CSV, Files.newInputStream(both[0]));
        List<List<Long>> rows = stored(events);
        IngestReport parquet = load(events, UploadFormat.PARQUET, Files.newInputStream(both[1]));
        assertThat(stored(events))
                .isEqualTo(rows)
                .hasSize(1000)
                .anyMatch(row -> row.subList(0, 3).equals(List.of(1L, -3595L, -1500L)));
        assertThat(parquet.fingerprint()).isPresent().isEqualTo(csv.fingerprint());
        assertThat(parquet.valuesClamped()).isEqualTo(csv.valuesClamped()).isPositive();
    }

    private static Column.Numeric time(String name, String resolution) {
        Grid grid = new Grid(new BigDecimal(resolution));
        return new Column.Numeric(name, new Notation.Timestamps(grid), -(1L << 40), 1L << 40, null);
    }

    @Test
    void pointsInTimeThatHaveNoTextAreRefused() throws Exception {
        for (String day : List.of("DATE '0044-03-15 (BC)'", "DATE '12020-01-01'", "DATE 'infinity'", "NULL::DATE")) {
            Path[] both = written("SELECT " + day + " AS day");
            Dataset days = DatasetsForTests.rows("days", new Column.Numeric("day", new Notation.Dates(), 0, 1, null));
            for (var format : Map.of(UploadFormat.CSV, both[0], UploadFormat.PARQUET, both[1])
                    .entrySet()) {
                assertThat(refusal(days, format.getKey(), Files.newInputStream(format.getValue()))
                                .members())
                        .as(day)
                        .isEqualTo(Map.of("line", 2L, "column", "day"));
            }
        }
    }

    @Test
    void parquetOfAnotherTypeNamesItsColumn() throws Exception {
        for (String type : List.of("TIME '12:00:00'", "[1]", "{'a': 1}", "'1'::BLOB", "INTERVAL 1 DAY")) {
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

    private static Map<String, Supplier<InputStream>> hostileCsv(byte[] parquet) {
        return Map.of(
                "an open quote", () -> repeated("age,hours,sex\n1,2,\"", "x", 1 << 30),
                "a field of a gigabyte", () -> repeated("age,hours,sex\n1,2,", "x", 1 << 30),
                "a field of a gigabyte in the header", () -> repeated("age,hours,", "x", 1 << 30),
                "a million columns", () -> repeated("age,hours,sex", ",c", 2_000_000),
                "a million fields", () -> repeated("age,hours,sex\n1,2,F", ",1", 2_000_000),
                "NUL", () -> repeated("age,hours,sex\n1,2,", "\0", 100),
                "a carriage return alone", () -> repeated("age,hours,sex\r1,2,", "F", 100),
                "another type", () -> repeated("age,hours,sex\n", "x,2,F\n", 6000),
                "not text", () -> new ByteArrayInputStream(parquet),
                "torn in a quote", () -> repeated("age,hours,sex\n", "1,2,\"F\"\n", 8 * 1000 + 5));
    }

    private static Map<String, byte[]> hostileParquet(byte[] parquet) throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("torn Parquet", Arrays.copyOf(parquet, parquet.length / 2));
        files.put("an empty file", new byte[0]);
        files.put("CSV called Parquet", "age,hours,sex\n1,2,F\n".repeat(9999).getBytes(UTF_8));
        for (int at = 1; at <= 4; at++) {
            byte[] damaged = parquet.clone();
            // Of the length of the description, and of the four bytes that say that this is Parquet.
            Arrays.fill(damaged, parquet.length - 9 + at, parquet.length, (byte) 0x7F);
            files.put("damaged end " + at, damaged);
        }
        files.put(
                "a string of thirty megabytes",
                Files.readAllBytes(written("SELECT 1 AS age, 1 AS hours, repeat('x', 30000000) AS sex")[1]));
        byte[] few = HandmadeParquet.string(1);
        byte[] many = HandmadeParquet.gzip(HandmadeParquet.string(1000), 1_000_000);
        files.put(
                "a page that says two gigabytes",
                new HandmadeParquet()
                        .totalSize(4L << 30)
                        .data(few, Integer.MAX_VALUE, 1, HandmadeParquet.PLAIN)
                        .bytes());
        files.put(
                "a compressed page that says two gigabytes",
                new HandmadeParquet()
                        .gzip()
                        .totalSize(4L << 30)
                        .data(HandmadeParquet.gzip(few, 1), Integer.MAX_VALUE, 1, HandmadeParquet.PLAIN)
                        .bytes());
        files.put(
                "a page of a negative size",
                new HandmadeParquet()
                        .data(few, Integer.MIN_VALUE, 1, HandmadeParquet.PLAIN)
                        .bytes());
        files.put(
                "two thousand million values in five bytes",
                new HandmadeParquet()
                        .data(few, few.length, Integer.MAX_VALUE, HandmadeParquet.PLAIN)
                        .bytes());
        files.put(
                "a page that expands a thousand times, to a gigabyte",
                new HandmadeParquet()
                        .gzip()
                        .totalSize(1_004_000_000)
                        .data(many, 1_004_000_000, 1_000_000, HandmadeParquet.PLAIN)
                        .bytes());
        files.put(
                "a page that expands to more than it says",
                new HandmadeParquet()
                        .gzip()
                        .data(many, few.length, 1, HandmadeParquet.PLAIN)
                        .bytes());
        files.put(
                "a dictionary that says two gigabytes",
                new HandmadeParquet()
                        .totalSize(4L << 30)
                        .dictionary(few, Integer.MAX_VALUE, Integer.MAX_VALUE)
                        .data(HandmadeParquet.runOfFirst(1), 3, 1, HandmadeParquet.OF_DICTIONARY)
                        .bytes());
        byte[] entry = HandmadeParquet.string(1 << 16);
        byte[] run = HandmadeParquet.runOfFirst(900_000_000);
        files.put(
                "fifty terabytes of one entry of a dictionary",
                new HandmadeParquet()
                        .gzip()
                        .dictionary(HandmadeParquet.gzip(entry, 1), entry.length, 1)
                        .data(HandmadeParquet.gzip(run, 1), run.length, 900_000_000, HandmadeParquet.OF_DICTIONARY)
                        .bytes());
        files.put("30,000 columns", new HandmadeParquet().columns(30_000).bytes());
        byte[] one = HandmadeParquet.string(1);
        for (int groups : new int[] {20_001, 200_000, 1_000_000}) {
            files.put(
                    "%,d groups of one row".formatted(groups),
                    new HandmadeParquet()
                            .data(one, one.length, 1, HandmadeParquet.PLAIN)
                            .rowGroups(groups)
                            .bytes());
        }
        files.put(
                "a name of fifty megabytes",
                new HandmadeParquet().column("x".repeat(50_000_000)).bytes());
        files.put("a million columns", new HandmadeParquet().columns(1_000_000).bytes());
        files.put(
                "a thousand thousand groups in groups",
                new HandmadeParquet().depth(1_000_000).bytes());
        return files;
    }

    /** So that those of the next test fail for what they are. */
    @Test
    void aHandmadeFileIsParquet() throws Exception {
        byte[] plain = HandmadeParquet.string(3);
        byte[] file = new HandmadeParquet()
                .gzip()
                .dictionary(HandmadeParquet.gzip(plain, 1), plain.length, 1)
                .data(
                        HandmadeParquet.gzip(HandmadeParquet.runOfFirst(1_000_000), 1),
                        HandmadeParquet.runOfFirst(1_000_000).length,
                        1_000_000,
                        HandmadeParquet.OF_DICTIONARY)
                .bytes();
        assertThat(file.length).isLessThan(1000);
        assertThat(load(LENIENT, UploadFormat.PARQUET, new ByteArrayInputStream(file))
                        .rowsStored())
                .isEqualTo(1_000_000);
    }

    @Test
    void aFileMayHaveTwentyThousandGroupsOfRows() throws Exception {
        byte[] one = HandmadeParquet.string(1);
        byte[] file = new HandmadeParquet()
                .data(one, one.length, 1, HandmadeParquet.PLAIN)
                .rowGroups(20_000)
                .bytes();
        assertThat(load(LENIENT, UploadFormat.PARQUET, new ByteArrayInputStream(file))
                        .rowsStored())
                .isEqualTo(20_000);
    }

    @Test
    void hostileFilesAreRefusedSoonAndInLittleMemory() throws Exception {
        byte[] parquet =
                Files.readAllBytes(written("SELECT i AS age, 1 AS hours, 'F' AS sex FROM range(9999) t(i)")[1]);
        Map<String, byte[]> files = hostileParquet(parquet);
        // What the first upload loads of Java's own is not its file's doing.
        refusal(UploadFormat.PARQUET, InputStream.nullInputStream());
        for (var file : hostileCsv(parquet).entrySet()) {
            measure(
                    "CSV: " + file.getKey(),
                    PEOPLE,
                    UploadFormat.CSV,
                    file.getValue().get());
        }
        for (var file : files.entrySet()) {
            measure(
                    "Parquet: " + file.getKey(),
                    LENIENT,
                    UploadFormat.PARQUET,
                    new ByteArrayInputStream(file.getValue()));
        }
    }

    /** All its rows were taken when it is refused, and sorted as far as memory goes. */
    @Test
    void aMillionUnitsBeforeABadValueTakeLittleMemory() throws Exception {
        InputStream file = millionUnits();
        refusal(UploadFormat.CSV, InputStream.nullInputStream());
        measure("CSV: a million units before a bad value", VISITS, UploadFormat.CSV, file);
    }

    private static InputStream millionUnits() {
        StringBuilder csv = new StringBuilder("user,age\n");
        for (int unit = 0; unit < 1_000_000; unit++) {
            csv.append(unit).append(",1\n");
        }
        return new ByteArrayInputStream(csv.append("1,old\n").toString().getBytes(UTF_8));
    }

    private static void measure(String name, Dataset dataset, UploadFormat format, InputStream file)
            throws IOException {
        forgetPeak();
        long before = memory("VmRSS");
        long start = System.nanoTime();
        refusal(dataset, format, file);
        Duration time = Duration.ofNanos(System.nanoTime() - start);
        long growth = memory("VmHWM") - before;
        System.out.printf("%s: refused in %d ms, the service %+d MB%n", name, time.toMillis(), growth / MEGABYTE);
        assertThat(time).as(name).isLessThan(Duration.ofSeconds(5));
        assertThat(growth).as(name).isLessThan(50 * MEGABYTE);
    }

    /** Has the kernel count the most resident memory of this process anew: proc(5), clear_refs. */
    private static void forgetPeak() throws IOException {
        Files.writeString(Path.of("/proc/self/clear_refs"), "5");
    }

    private static long memory(String line) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(each -> each.startsWith(line))
                    .mapToLong(each -> Long.parseLong(each.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        }
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
