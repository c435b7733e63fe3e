package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.InstanceId;
import dev.purser.dataset.Notation;
import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.StoredRows;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.util.unit.DataSize;

import static dev.purser.dataset.DatasetsForTests.category;
import static dev.purser.dataset.DatasetsForTests.decimal;
import static dev.purser.dataset.DatasetsForTests.integer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class CsvIngestTests {
    private static final Dataset PEOPLE = DatasetsForTests.rows(
            "people", integer("age", 0, 125), decimal("hours", "0.25", 0, 400, 160L), category("sex", null, "F", "M"));
    private static final Dataset VISITS = DatasetsForTests.of(
            "visits", new PrivacyUnit.Column("user", 2), 1_000_000, List.of(integer("n", 0, 1_000_000)));

    private static final InstanceId INSTANCE = InstanceId.draw();
    private static final byte[] SECRET = new byte[32];

    @TempDir
    private Path root;

    private DatasetFiles files;

    @BeforeEach
    void createFiles() throws IOException {
        files = new DatasetFiles(root.resolve("data"), INSTANCE);
    }

    private static CsvIngest ingest() {
        return new CsvIngest(SECRET, new ParserInProcess(), DataSize.ofMegabytes(1));
    }

    private static Upload upload(InputStream csv, byte @Nullable [] expectedSha256) {
        return new Upload(UploadFormat.CSV, csv, expectedSha256, rows -> {});
    }

    private IngestReport load(Dataset dataset, InputStream csv) throws IOException {
        IngestReport report = ingest().load(dataset, upload(csv, null), files.upload(dataset.id()));
        files.commit(dataset.id());
        return report;
    }

    private IngestReport load(Dataset dataset, String csv) throws IOException {
        return load(dataset, new ByteArrayInputStream(csv.getBytes(UTF_8)));
    }

    private ProblemException refusal(Dataset dataset, InputStream csv) {
        ProblemException refusal = catchThrowableOfType(ProblemException.class, () -> load(dataset, csv));
        assertThat(refusal).isNotNull();
        assertThat(refusal.type()).isEqualTo(ProblemType.INVALID_DATA);
        assertThat(root.resolve("data").resolve(dataset.id()).resolve("upload-" + INSTANCE.value()))
                .isEmptyDirectory();
        return refusal;
    }

    private List<List<Long>> stored(Dataset dataset) throws IOException {
        return StoredRows.in(files.data(dataset.id()), dataset.shape());
    }

    static Stream<Arguments> accepted() {
        return Stream.of(
                Arguments.of("age,hours,sex\n39,40,M\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\n39,40,M", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\r\n39,40,M\r\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("\uFEFFage,hours,sex\n39,40,M\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("\uFEFF\"age\",hours,sex\n39,40,M\n", List.of(List.of(39L, 160L, 1L)), 0),
                Arguments.of("age,hours,sex\n", List.of(), 0),
                Arguments.of("age,hours,sex", List.of(), 0),
                Arguments.of("sex,x,hours,y,age\nF,,1,,2\n", List.of(List.of(2L, 4L, 0L)), 0),
                Arguments.of("x,age,hours,sex,x\n,1,1,F,", List.of(List.of(1L, 4L, 0L)), 0),
                Arguments.of(
                        "note,age,hours,sex\n\"a\"\"b,\r\nc\n\",\"7\",\"1\",\"M\"\n", List.of(List.of(7L, 4L, 1L)), 0),
                Arguments.of("note,age,hours,sex\nüñ漢😀,7,1,M\n", List.of(List.of(7L, 4L, 1L)), 0),
                Arguments.of(
                        "age,hours,sex\n7,,M\n8,NaN,F\n", List.of(List.of(7L, 160L, 1L), List.of(8L, 160L, 0L)), 0),
                Arguments.of(
                        "age,hours,sex\n-1,1e9,M\n126,-0.1,F\n9999999999999999999999,100,F\n",
                        List.of(List.of(0L, 400L, 1L), List.of(125L, 0L, 0L), List.of(125L, 400L, 0L)),
                        5));
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void storesWhatIsWellFormed(String csv, List<List<Long>> rows, long clamped) throws Exception {
        IngestReport report = load(PEOPLE, csv);
        assertThat(stored(PEOPLE)).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(report.rowsRead()).isEqualTo(rows.size());
        assertThat(report.rowsStored()).isEqualTo(rows.size());
        assertThat(report.valuesClamped()).isEqualTo(clamped);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("", 1, "age"),
                Arguments.of("\n", 1, "age"),
                Arguments.of("age,hours\n1,2\n", 1, "sex"),
                Arguments.of("age,hours,sex,age\n1,2,F,1\n", 1, "age"),
                Arguments.of("Age,hours,sex\n1,2,F\n", 1, "age"),
                Arguments.of("age, hours,sex\n1,2,F\n", 1, "hours"),
                Arguments.of("age,hours,sex\n1,2,F\n1,2\n", 3, null),
                Arguments.of("age,hours,sex\n1,2,F\n1,2,F,\n", 3, null),
                Arguments.of("age,hours,sex\n1,2,F\n\n", 3, null),
                Arguments.of("age,hours,sex\nsecret,2\n", 2, null),
                Arguments.of("age,hours,sex\n1,2,F\nsecret,2,F\n", 3, "age"),
                Arguments.of("age,hours,sex\n,2,F\n", 2, "age"),
                Arguments.of("age,hours,sex\n 1,2,F\n", 2, "age"),
                Arguments.of("age,hours,sex\n1.0,2,F\n", 2, "age"),
                Arguments.of("age,hours,sex\n1,2,f\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2,\n", 2, "sex"),
                Arguments.of("age,hours,sex\n1,2, F\n", 2, "sex"),
                Arguments.of("note,age,hours,sex\n\"a\n\nb\",1,2,F\nx,secret,2,F\n", 5, "age"),
                Arguments.of("note,age,hours,sex\n\"a\r\nb\",secret,2,F\r\n", 2, "age"),
                Arguments.of("age,hours,sex\n1,2,\"F\n", 2, null),
                Arguments.of("age,hours,sex\n1,2,\"F\"\"", 2, null),
                Arguments.of("age,hours,sex\n1,2,\"", 2, null),
                Arguments.of("age,hours,sex\n1,2,\"F\"x\n", 2, null),
                Arguments.of("age,hours,sex\n1,2,\"F\" \n", 2, null),
                Arguments.of("age,hours,sex\n1,2,F\"x\n", 2, null),
                Arguments.of("age,hours,sex\n1,2,F\r1,2,F\n", 2, null),
                Arguments.of("age,hours,sex\n1,2,F\r", 2, null));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesWhatIsNotWithLineAndColumnOnly(String csv, long line, String column) {
        ProblemException refusal = refusal(PEOPLE, new ByteArrayInputStream(csv.getBytes(UTF_8)));
        Map<String, Object> expected = new TreeMap<>(Map.of("line", line));
        if (column != null) {
            expected.put("column", column);
        }
        assertThat(refusal.members()).isEqualTo(expected);
        assertThat(refusal.detail()).doesNotContain("secret");
    }

    @Test
    void putsTimestampsOnTheirGridExactly() throws Exception {
        Grid grid = new Grid(new BigDecimal("0.3"));
        Column.Numeric seen = new Column.Numeric("seen", new Notation.Timestamps(grid), -1_000_000, 1_000_000, null);
        Dataset dataset = DatasetsForTests.rows("times", seen);
        Random random = new Random(31);
        StringBuilder csv = new StringBuilder("seen\n");
        List<List<Long>> expected = new ArrayList<>();
        long clamped = 0;
        for (int i = 0; i < 5_000; i++) {
            // Every other one is halfway between two grid points or next to it.
            BigDecimal steps = BigDecimal.valueOf(2 * random.nextLong(-1_100_000, 1_100_000) + 1, 0);
            BigDecimal next = BigDecimal.valueOf(random.nextInt(-1, 2), 25);
            BigDecimal seconds = i % 2 == 0
                    ? steps.multiply(new BigDecimal("0.15")).add(next)
                    : BigDecimal.valueOf(random.nextLong(-400_000_000_000L, 400_000_000_000L), 6);
            BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
            csv.append(Instant.ofEpochSecond(whole.longValueExact()).toString().replace("Z", ""))
                    .append(seconds.subtract(whole).setScale(25).toPlainString().substring(1))
                    .append(i % 3 == 0 ? "\n" : i % 3 == 1 ? "Z\n" : "+00\n");
            BigDecimal nearest = seconds.multiply(BigDecimal.TEN)
                    .multiply(BigDecimal.TWO)
                    .add(BigDecimal.valueOf(3))
                    .divide(BigDecimal.valueOf(6), 0, RoundingMode.FLOOR);
            expected.add(List.of(Math.clamp(nearest.longValueExact(), -1_000_000L, 1_000_000L)));
            BigDecimal bound = BigDecimal.valueOf(300_000);
            clamped += seconds.abs().compareTo(bound) > 0 ? 1 : 0;
        }
        IngestReport report = load(dataset, csv.toString());
        assertThat(stored(dataset)).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(report.valuesClamped()).isEqualTo(clamped);
    }

    @Test
    void readsTruthInEverySpellingAndNothingElse() throws Exception {
        Dataset dataset = DatasetsForTests.rows("truths", DatasetsForTests.truth("smoker", null));
        List<String> truths = List.of("true", "TRUE", "T", "t", "Yes", "yes", "Y", "y", "1");
        List<String> falsehoods = List.of("false", "False", "F", "f", "NO", "no", "N", "n", "0");
        load(dataset, "smoker\n" + String.join("\n", truths) + "\n" + String.join("\n", falsehoods) + "\n");
        assertThat(stored(dataset))
                .containsExactlyElementsOf(Stream.concat(
                                Collections.nCopies(truths.size(), List.of(1L)).stream(),
                                Collections.nCopies(falsehoods.size(), List.of(0L)).stream())
                        .toList());
        for (String other : List.of("2", "01", "tru", "on", " true", "\"\"", "null")) {
            InputStream csv = new ByteArrayInputStream(("smoker\n" + other + "\n").getBytes(UTF_8));
            assertThat(refusal(DatasetsForTests.rows("others", DatasetsForTests.truth("smoker", null)), csv)
                            .members())
                    .isEqualTo(Map.of("line", 2L, "column", "smoker"));
        }
    }

    static Stream<byte[]> notUtf8() {
        return Stream.of(
                new byte[] {(byte) 0xFF},
                new byte[] {(byte) 0xC3},
                new byte[] {(byte) 0xC0, (byte) 0x80},
                new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
                new byte[] {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
                new byte[] {'a', (byte) 0xE2, (byte) 0x82, 'b'});
    }

    @ParameterizedTest
    @MethodSource("notUtf8")
    void refusesBytesThatAreNotUtf8EvenWhereNothingIsStored(byte[] bytes) {
        InputStream csv = new SequenceInputStream(Collections.enumeration(List.of(
                new ByteArrayInputStream("note,age,hours,sex\nü,1,2,F\n".getBytes(UTF_8)),
                new ByteArrayInputStream(bytes),
                new ByteArrayInputStream(",1,2,F\n".getBytes(UTF_8)))));
        assertThat(refusal(PEOPLE, csv).members()).isEqualTo(Map.of("line", 3L));
    }

    @Test
    void refusesMoreRowsThanAgreed() throws Exception {
        Dataset two = DatasetsForTests.of("two", new PrivacyUnit.Row(), 2, List.of(integer("n", 0, 9)));
        ProblemException refusal = refusal(two, new ByteArrayInputStream("n\n1\n2\n3\n".getBytes(UTF_8)));
        assertThat(refusal.members()).isEqualTo(Map.of("line", 4L));
        assertThat(load(two, "n\n1\n2\n").rowsStored()).isEqualTo(2);
    }

    @Test
    void refusesAnEndlessFieldWithoutReadingIt() {
        EndlessInput quoted = new EndlessInput("age,hours,sex\n1,2,\"", "x");
        assertThat(refusal(PEOPLE, quoted).members()).isEqualTo(Map.of("line", 2L));
        assertThat(quoted.delivered).isLessThan(4L << 20);
        EndlessInput plain = new EndlessInput("age,hours,sex\n1,2,", "x");
        assertThat(refusal(PEOPLE, plain).members()).isEqualTo(Map.of("line", 2L));
        assertThat(plain.delivered).isLessThan(4L << 20);
    }

    @Test
    void refusesAnEndlessHeaderAndAnEndlessRow() {
        EndlessInput header = new EndlessInput("age,hours,sex", ",x");
        assertThat(refusal(PEOPLE, header).members()).isEqualTo(Map.of("line", 1L));
        assertThat(header.delivered).isLessThan(1L << 20);
        EndlessInput row = new EndlessInput("age,hours,sex\n1,2,F", ",x");
        assertThat(refusal(PEOPLE, row).members()).isEqualTo(Map.of("line", 2L));
        assertThat(row.delivered).isLessThan(1L << 20);
    }

    /** A beginning, then one text over and over. */
    private static final class EndlessInput extends InputStream {
        private final byte[] first;
        private final byte[] repeated;
        private long delivered;

        private EndlessInput(String first, String repeated) {
            this.first = first.getBytes(UTF_8);
            this.repeated = repeated.getBytes(UTF_8);
        }

        @Override
        public int read() {
            long at = delivered++;
            return at < first.length ? first[(int) at] : repeated[(int) ((at - first.length) % repeated.length)];
        }
    }

    @Test
    void takesAFieldOfTheLimitAndOfOddPieces() throws Exception {
        String note = "x".repeat(FieldFrames.MAX_FIELD_BYTES);
        String csv = "note,age,hours,sex\n" + note + ",1,2,F\n\"" + note + "\",1,2,M\n";
        InputStream dripping = new ByteArrayInputStream(csv.getBytes(UTF_8)) {
            private int calls;

            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1 + (calls++ * 7919) % 5000));
            }
        };
        load(PEOPLE, dripping);
        assertThat(stored(PEOPLE)).containsExactlyInAnyOrder(List.of(1L, 8L, 0L), List.of(1L, 8L, 1L));
        assertThat(refusal(VISITS, new ByteArrayInputStream(("n,user,note\n1,a," + note + "x\n").getBytes(UTF_8)))
                        .members())
                .isEqualTo(Map.of("line", 2L));
    }

    @Test
    void verifiesTheDigest() throws Exception {
        byte[] csv = "age,hours,sex\n1,2,F\n".getBytes(UTF_8);
        byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(csv);
        CsvIngest ingest = ingest();
        Path target = files.upload("people");
        assertThat(ingest.load(PEOPLE, upload(new ByteArrayInputStream(csv), sha256), target)
                        .sha256())
                .isEqualTo(sha256);

        byte[] other = sha256.clone();
        other[31] ^= 1;
        Path again = files.upload("people");
        ProblemException refusal = catchThrowableOfType(
                ProblemException.class, () -> ingest.load(PEOPLE, upload(new ByteArrayInputStream(csv), other), again));
        assertThat(refusal.type()).isEqualTo(ProblemType.INVALID_DATA);
        assertThat(refusal.detail()).contains("digest");
        assertThat(again.getParent()).isEmptyDirectory();
    }

    /** Not the sender's fault. */
    @ParameterizedTest
    @EnumSource(UploadFormat.class)
    void saysThatWhatItCannotWriteIsUnavailable(UploadFormat format) {
        Upload upload =
                new Upload(format, new ByteArrayInputStream("age,hours,sex\n".getBytes(UTF_8)), null, rows -> {});
        for (Dataset dataset : List.of(PEOPLE, VISITS)) {
            ProblemException refusal = catchThrowableOfType(
                    ProblemException.class, () -> ingest().load(dataset, upload, root.resolve("missing/rows.columns")));
            assertThat(refusal.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
        }
    }

    @Test
    void leavesNothingOfATornUpload() throws Exception {
        InputStream torn = new SequenceInputStream(
                new ByteArrayInputStream("age,hours,sex\n1,2,F\n".getBytes(UTF_8)), new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("connection reset");
                    }
                });
        assertThat(catchThrowableOfType(IOException.class, () -> load(PEOPLE, torn)))
                .hasMessage("connection reset");
        assertThat(root.resolve("data/people/upload-" + INSTANCE.value())).isEmptyDirectory();
        assertThat(files.data("people")).doesNotExist();
    }

    @Test
    void keepsItsFilesToItself() throws Exception {
        load(PEOPLE, "age,hours,sex\n1,2,F\n");
        load(VISITS, "user,n\na,1\n");
        try (Stream<Path> tree = Files.walk(root.resolve("data"))) {
            assertThat(tree)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
        try (Stream<Path> tree = Files.walk(root.resolve("data"))) {
            assertThat(tree.filter(Files::isRegularFile))
                    .containsExactlyInAnyOrder(files.data("people"), files.data("visits"));
        }
    }

    @Test
    void keepsAtMostTheAgreedRowsOfAUnit() throws Exception {
        String csv = "user,n\n"
                + IntStream.range(0, 3000)
                        .mapToObj(i -> "u" + i % 700 + "," + i + "\n")
                        .collect(Collectors.joining());
        IngestReport report = load(VISITS, csv);
        assertThat(report.rowsRead()).isEqualTo(3000);
        assertThat(report.rowsStored()).isEqualTo(1400);
        Map<Long, Long> rowsPerUnit = stored(VISITS).stream()
                .collect(Collectors.groupingBy(row -> row.getFirst() % 700, Collectors.counting()));
        assertThat(rowsPerUnit).hasSize(700);
        assertThat(rowsPerUnit.values()).containsOnly(2L);
    }

    @Test
    void prefersNoRowOfAUnit() throws Exception {
        // 2 of 4 rows of 2000 units: each ordinal stays with probability 1/2, 1000 ± 22.4; 5 deviations, 1 in 400,000
        // per ordinal.
        String csv = "user,n\n"
                + IntStream.range(0, 8000)
                        .mapToObj(i -> "u" + i % 2000 + "," + i / 2000 + "\n")
                        .collect(Collectors.joining());
        load(VISITS, csv);
        Map<Long, Long> byOrdinal =
                stored(VISITS).stream().collect(Collectors.groupingBy(List::getFirst, Collectors.counting()));
        assertThat(byOrdinal).hasSize(4);
        assertThat(byOrdinal.values()).allSatisfy(kept -> assertThat(kept).isBetween(888L, 1112L));
    }

    @Test
    void refusesAnEmptyUnit() {
        assertThat(refusal(VISITS, new ByteArrayInputStream("user,n\na,1\n,2\n".getBytes(UTF_8)))
                        .members())
                .isEqualTo(Map.of("line", 3L, "column", "user"));
        assertThat(refusal(VISITS, new ByteArrayInputStream("user,n\na,1\n\"\",2\n".getBytes(UTF_8)))
                        .members())
                .isEqualTo(Map.of("line", 3L, "column", "user"));
        assertThat(refusal(VISITS, new ByteArrayInputStream("n\n1\n".getBytes(UTF_8)))
                        .members())
                .isEqualTo(Map.of("line", 1L, "column", "user"));
    }

    @Test
    void loadsRandomFilesAsAnOracleSays() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Dataset dataset = DatasetsForTests.rows(
                    "random-" + seed,
                    decimal("a", "0.5", -20, 20, 3L),
                    category("b", 0, "x", "y,\"z\"", "ü\n"),
                    integer("c", -5, 5));
            List<List<Long>> expected = new ArrayList<>();
            String csv = randomFile(random, expected);
            load(dataset, csv);
            assertThat(stored(dataset)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static String randomFile(Random random, List<List<Long>> expected) {
        StringBuilder csv = new StringBuilder(random.nextBoolean() ? "\uFEFF" : "");
        csv.append("c,junk,b,a").append(lineEnd(random));
        int rows = random.nextInt(400);
        for (int i = 0; i < rows; i++) {
            int c = random.nextInt(21) - 10;
            int b = random.nextInt(4);
            int quarters = random.nextInt(200) - 100;
            boolean missing = random.nextInt(10) == 0;
            List<String> fields = List.of(
                    Integer.toString(c),
                    List.of("", "a\"\n,", "\r\n", "日本").get(random.nextInt(4)),
                    List.of("x", "y,\"z\"", "ü\n", "unlisted").get(b),
                    missing ? "" : Double.toString(quarters / 4.0));
            csv.append(fields.stream().map(field -> quoted(random, field)).collect(Collectors.joining(",")));
            csv.append(i == rows - 1 && random.nextBoolean() ? "" : lineEnd(random));
            expected.add(List.of(
                    missing ? 3L : Math.clamp(Math.floorDiv(quarters + 1L, 2), -20L, 20L),
                    b == 3 ? 0L : b,
                    Math.clamp((long) c, -5L, 5L)));
        }
        return csv.toString();
    }

    private static String quoted(Random random, String field) {
        boolean needed = field.chars().anyMatch(c -> "\",\r\n".indexOf(c) >= 0);
        return needed || random.nextBoolean() ? '"' + field.replace("\"", "\"\"") + '"' : field;
    }

    private static String lineEnd(Random random) {
        return random.nextBoolean() ? "\n" : "\r\n";
    }

    @Test
    void takesWideRowsInBoundedMemory() throws Exception {
        int columns = 200;
        Column[] wide = IntStream.range(0, columns)
                .mapToObj(i -> integer("c" + i, -(1L << 40), 1L << 40))
                .toArray(Column[]::new);
        Random random = new Random(5);
        StringBuilder csv = new StringBuilder("user");
        IntStream.range(0, columns).forEach(i -> csv.append(",c").append(i));
        for (int row = 0; row < 30_000; row++) {
            csv.append("\nu").append(row % 9000);
            for (int i = 0; i < columns; i++) {
                csv.append(',').append(random.nextLong() >> 30);
            }
        }
        byte[] bytes = csv.toString().getBytes(UTF_8);
        for (PrivacyUnit unit : List.of(new PrivacyUnit.Row(), new PrivacyUnit.Column("user", 3))) {
            Dataset dataset = DatasetsForTests.of("wide", unit, 30_000, List.of(wide));
            IngestReport report =
                    ingest().load(dataset, upload(new ByteArrayInputStream(bytes), null), files.upload("wide"));
            assertThat(report.rowsStored()).isEqualTo(unit.maxRows() == 1 ? 30_000 : 27_000);
        }
    }

    @Test
    void loadsTwoHundredThousandRows() throws Exception {
        Random random = new Random(1);
        StringBuilder csv = new StringBuilder("age,workclass,hours,education,sex\n");
        for (int i = 0; i < 200_000; i++) {
            csv.append(random.nextInt(90))
                    .append(",Private,")
                    .append(random.nextInt(400) / 4.0)
                    .append(",HS-grad,");
            csv.append(random.nextBoolean() ? "F\n" : "M\n");
        }
        byte[] bytes = csv.toString().getBytes(UTF_8);
        long start = System.nanoTime();
        assertThat(load(PEOPLE, new ByteArrayInputStream(bytes)).rowsStored()).isEqualTo(200_000);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("CSV ingest: %.0f rows/s, %.0f MB/s%n", 200_000 / seconds, bytes.length / 1e6 / seconds);
    }
}
