package dev.purser.dataset.ingest;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.Notation;
import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.ParquetFrames;
import dev.purser.dataset.parser.ParseUpload;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** The rows of Parquet files, held against those of the CSV files that DuckDB writes of the same rows, and what a hostile parser can send. */
class ParquetColumnsTests {
    /** More than a batch has, and no multiple of it. */
    private static final int ROWS = 5000;

    private static final String RANDOM = "(hash(i, %d) // 4)::BIGINT";
    private static final byte[] SECRET = {1};

    @TempDir
    private Path folder;

    private void copy(String query, Path file, String format) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT " + format + ")");
        }
    }

    private FrameBuffer parquet(String query) throws SQLException, IOException {
        Path file = folder.resolve("rows.parquet");
        copy(query, file, "parquet, ROW_GROUP_SIZE 2048");
        return buffer(ParquetFrames.of(file));
    }

    private FrameBuffer csv(String query) throws SQLException, IOException {
        Path file = folder.resolve("rows.csv");
        copy(query, file, "csv, HEADER true");
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(Files.readAllBytes(file)), frames);
        return buffer(frames.toByteArray());
    }

    private static FrameBuffer buffer(byte[] frames) {
        return new FrameBuffer(new ByteArrayInputStream(frames));
    }

    /** All that is known of a file's rows in the end. */
    private record Known(List<List<Long>> values, List<String> units, long valuesClamped, Fingerprint fingerprint) {}

    private static Known known(UploadRows rows, FingerprintDigest digest) throws IOException {
        List<List<Long>> values = new ArrayList<>();
        List<String> units = new ArrayList<>();
        while (rows.next()) {
            RowBatch batch = rows.batch();
            for (int i = 0; i < batch.size(); i++) {
                int row = i;
                values.add(Arrays.stream(batch.columns())
                        .map(column -> column[row])
                        .toList());
                if (batch.units().length > 0) {
                    units.add(new String(
                            batch.units(), batch.unitFrom(i), batch.unitTo(i) - batch.unitFrom(i), ISO_8859_1));
                }
            }
        }
        assertThat(rows.batch().total()).isEqualTo(values.size());
        return new Known(
                values,
                units,
                rows.batch().valuesClamped(),
                digest.fingerprint().orElseThrow());
    }

    private static Known ofParquet(Dataset dataset, FrameBuffer frames) throws IOException {
        FingerprintDigest digest = new FingerprintDigest(SECRET);
        return known(new ParquetColumns(dataset, frames, null, digest), digest);
    }

    private static Known ofCsv(Dataset dataset, FrameBuffer frames) throws IOException {
        FingerprintDigest digest = new FingerprintDigest(SECRET);
        return known(new CsvRows(dataset, new Fields(frames), digest), digest);
    }

    /** Columns of every notation, with a substitute for what they cannot read. */
    private static List<Column> notations() {
        return List.of(
                new Column.Numeric("integer", new Notation.Numbers(true, Grid.ONE), -100, 1000, -7L),
                DatasetsForTests.decimal("fine", "0.01", -100_000, 1_000_000, -7L),
                DatasetsForTests.decimal("coarse", "0.7", -50, 50, 3L),
                DatasetsForTests.decimal("odd", "0.12345678901234567", -50, 50, 3L),
                new Column.Numeric("day", new Notation.Dates(), -20_000, 20_000, 5L),
                DatasetsForTests.truth("truth", 1),
                DatasetsForTests.category("kind", 2, "1", "2", "3", "", "0.5", "true"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "i",
                "(i % 256 - 128)::TINYINT",
                "(i * 13 - 32768)::SMALLINT",
                "(RANDOM % 4294967296 - 2147483648)::INTEGER",
                "(2 * RANDOM - 4611686018427387904)::BIGINT",
                "CASE i WHEN 0 THEN -9223372036854775808 ELSE 9223372036854775807 END",
                "(9007199254740990 + i)::BIGINT",
                "(i % 256)::UTINYINT",
                "(i % 65536)::USMALLINT",
                "(RANDOM % 4294967296)::UINTEGER",
                "hash(i)",
                "((i - 2500) / 1000)::DECIMAL(4, 3)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(9, 3)",
                "(RANDOM % 1000000 / 1000000000)::DECIMAL(18, 17)",
                "(RANDOM / 100)::DECIMAL(18, 0)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(38, 3)",
                "(i / 8)::DOUBLE",
                "(i % 3)::DOUBLE",
                "(RANDOM / 3)::DOUBLE",
                "(RANDOM % 1000000 / 1000)::DOUBLE",
                "(RANDOM % 1000000 / 7777)::DOUBLE",
                "pow(-10, i % 600 - 300)::DOUBLE",
                "CASE i % 5 WHEN 0 THEN 'nan' WHEN 1 THEN 'inf' WHEN 2 THEN '-inf' WHEN 3 THEN '-0' ELSE '1' END::DOUBLE",
                "(i / 7)::FLOAT",
                "i % 3 = 0",
                "DATE '1890-02-03' + i::INTEGER * 11",
                "TIMESTAMP '1960-01-01' + INTERVAL (RANDOM % 9000000000000000) MICROSECOND",
                "CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN '2' WHEN 2 THEN '0.5' ELSE repeat('ü', (i % 40)::INTEGER) END",
                "repeat('x', CASE WHEN i = 4000 THEN 1048576 ELSE i % 300 END::INTEGER)"
            })
    void rowsAreThoseOfCsv(String value) throws Exception {
        String exact = value.replace("RANDOM", RANDOM.formatted(value.length()));
        for (Column column : notations()) {
            Dataset dataset = DatasetsForTests.of("x", new PrivacyUnit.Row(), ROWS, List.of(column));
            String query = "SELECT CASE WHEN hash(i) % 5 > 0 THEN " + exact + " END AS " + column.name() + ", " + exact
                    + " AS other FROM range(" + ROWS + ") t(i)";
            assertThat(ofParquet(dataset, parquet(query))).as(column.name()).isEqualTo(ofCsv(dataset, csv(query)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "i % 100",
                "(i % 100 / 4)::DOUBLE",
                "(i % 100 / 4)::DECIMAL(4, 2)",
                "repeat('u', (1 + i % 30)::INTEGER)"
            })
    void unitsAreThoseOfCsv(String unit) throws Exception {
        Dataset dataset = DatasetsForTests.of(
                "x", new PrivacyUnit.Column("who", 3), ROWS, List.of(DatasetsForTests.integer("n", 0, 9)));
        String query = "SELECT " + unit + " AS who, i % 12 AS n FROM range(" + ROWS + ") t(i)";
        Known known = ofParquet(dataset, parquet(query));
        assertThat(known).isEqualTo(ofCsv(dataset, csv(query)));
        assertThat(known.units()).hasSize(ROWS);
    }

    /** The first row that breaks a rule, wherever its column stands, and of a row the first value. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "i, 1, 'u' | ",
                "CASE WHEN i <> 3000 THEN i END, 1, 'u' | line 3002, column a: the value is missing or not an integer",
                "CASE WHEN i <> 3000 THEN i END, CASE WHEN i <> 2999 THEN 1 END, 'u' | line 3001, column b: the value is missing or not a decimal number",
                "CASE WHEN i < 3000 THEN i END, CASE WHEN i < 3000 THEN 1 END, 'u' | line 3002, column a: the value is missing or not an integer",
                "i, 'x', 'u' | line 2, column b: the value is missing or not a decimal number",
                "i, 1, CASE WHEN i <> 3000 THEN 'u' END | line 3002, column who: the privacy unit is empty",
                "i, CASE WHEN i <> 3000 THEN 1 END, CASE WHEN i <> 3000 THEN 'u' END | line 3002, column b: the value is missing or not a decimal number",
                "i, CASE WHEN i <> 3001 THEN 1 END, CASE WHEN i <> 3000 THEN 'u' END | line 3002, column who: the privacy unit is empty",
                "CASE WHEN i <> 4001 THEN i END, 1, 'u' | line 4002: there are more rows than the dataset's maxRows",
                "CASE WHEN i <> 3999 THEN i END, 1, 'u' | line 4001, column a: the value is missing or not an integer",
            })
    void whatIsRefusedIsNamedByLineAndColumn(String columns, String refusal) throws Exception {
        String[] parts = columns.split(", (?=CASE|'|\\d)");
        Dataset dataset = DatasetsForTests.of(
                "x",
                new PrivacyUnit.Column("who", 3),
                refusal == null || !refusal.startsWith("line 4") ? ROWS : 4000,
                List.of(DatasetsForTests.integer("a", 0, 9), DatasetsForTests.decimal("b", "1", 0, 9, null)));
        String query = "SELECT " + parts[2] + " AS who, " + parts[0] + " AS a, " + parts[1] + " AS b FROM range(" + ROWS
                + ") t(i)";
        FrameBuffer frames = parquet(query);
        if (refusal == null) {
            assertThat(ofParquet(dataset, frames).values()).hasSize(ROWS);
        } else {
            assertThatThrownBy(() -> ofParquet(dataset, frames))
                    .isInstanceOf(ProblemException.class)
                    .hasMessage(refusal);
            assertThatThrownBy(() -> ofCsv(dataset, csv(query))).hasMessage(refusal);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'a' || chr(0)",
                "chr(0)",
                "repeat('x', 7) || chr(0)",
                "repeat('x', 8) || chr(0)",
                "chr(0) || repeat('x', 11)",
                "repeat('x', 30) || chr(0) || 'b'",
                "repeat('x', 200000) || chr(0)"
            })
    void aNulIsRefusedWhereItStands(String text) throws Exception {
        Dataset dataset = DatasetsForTests.rows("x", DatasetsForTests.integer("i", 0, 9));
        FrameBuffer frames =
                parquet("SELECT i, CASE WHEN i = 3000 THEN " + text + " ELSE 'a\nb' END AS b FROM range(5000) t(i)");
        assertThatThrownBy(() -> ofParquet(dataset, frames))
                .isInstanceOf(ProblemException.class)
                .hasMessageStartingWith("line 3002: ")
                .hasMessageContaining("NUL");
    }

    /** Which no writer writes that keeps to the form: DuckDB would show other digits, or none. */
    @ParameterizedTest
    @ValueSource(strings = {"10000", "-10000", "32767"})
    void aDecimalOfMoreDigitsThanItsColumnIsRefused(String unscaled) throws Exception {
        Path file = folder.resolve("rows.parquet");
        copy("SELECT (i * " + unscaled + ")::DECIMAL(9, 0) AS a FROM range(2) t(i)", file, "parquet");
        declarePrecision(file, 9, 4);
        Dataset dataset = DatasetsForTests.rows("x", DatasetsForTests.integer("a", 0, 9));
        assertThatThrownBy(() -> ofParquet(dataset, buffer(ParquetFrames.of(file))))
                .isInstanceOf(ProblemException.class)
                .hasMessageStartingWith("line 3: ")
                .hasMessageContaining("Parquet");
    }

    /** In the description of the file, where it stands twice: field 7 the scale, 0 here, and field 8 the precision; so again in field 10. */
    private static void declarePrecision(Path file, int written, int declared) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int found = 0;
        for (int at = 0; at + 3 < bytes.length; at++) {
            if (bytes[at] == 0x15 && bytes[at + 1] == 0 && bytes[at + 2] == 0x15 && bytes[at + 3] == 2 * written) {
                bytes[at + 3] = (byte) (2 * declared);
                found++;
            }
        }
        assertThat(found).isEqualTo(2);
        Files.write(file, bytes);
    }

    /** A header of a column of texts {@code a} and one of integers of 4 bytes {@code n}, and what may follow. */
    private static byte[] frames(Object... parts) {
        ByteBuffer frames = ByteBuffer.allocate(1 << 22);
        frames.put("\1a\177N\0\4\0\0\0\1\0\0\0\0\u0081n".getBytes(ISO_8859_1));
        for (Object part : parts) {
            switch (part) {
                case Integer number -> frames.order(FieldFrames.ORDER).putInt(number);
                case Long number -> frames.order(FieldFrames.ORDER).putLong(number);
                case byte[] bytes -> frames.put(bytes);
                default -> frames.put(part.toString().getBytes(ISO_8859_1));
            }
        }
        return Arrays.copyOf(frames.array(), frames.position());
    }

    private static Known ofFrames(byte[] frames) throws IOException {
        return ofParquet(DatasetsForTests.rows("x", DatasetsForTests.integer("n", 0, 9)), buffer(frames));
    }

    private static final String ONE_ROW = "\177B\0\0\0\1";
    private static final String TEXT = "xxxxxxxxxxxx";

    @Test
    void readsWhatKeepsToTheForm() throws Exception {
        Known known = ofFrames(frames(
                ONE_ROW,
                "\0",
                1,
                TEXT,
                "\0",
                7,
                "\177B\0\0\0\2",
                "\1",
                2L,
                5,
                TEXT,
                13,
                TEXT,
                "thirteen long",
                "\0",
                8,
                9,
                "\177E"));
        assertThat(known.values()).containsExactly(List.of(7L), List.of(8L), List.of(9L));
    }

    /** Whatever its place says: here a text that is known. */
    @Test
    void aMissingTextIsMissing() throws Exception {
        Dataset dataset = DatasetsForTests.rows(
                "x", DatasetsForTests.integer("n", 0, 9), DatasetsForTests.category("a", 1, "x", "y"));
        byte[] frames = frames("\177B\0\0\0\3", "\1", 5L, 1, TEXT, 1, TEXT, 1, TEXT, "\0", 7, 8, 9, "\177E");
        assertThat(ofParquet(dataset, buffer(frames)).values())
                .containsExactly(List.of(7L, 0L), List.of(8L, 1L), List.of(9L, 0L));
    }

    @Test
    void whatComesFirstIsRefusedFirst() {
        Dataset dataset = DatasetsForTests.rows(
                "x", DatasetsForTests.integer("n", 0, 9), DatasetsForTests.category("a", null, "x", "y"));
        String nul = "\0xxxxxxxxxxx";
        assertThatThrownBy(() ->
                        ofParquet(dataset, buffer(frames("\177B\0\0\0\2", "\0", 2, TEXT, 1, nul, "\0", 7, 8, "\177E"))))
                .hasMessageStartingWith("line 2, column a: ");
        assertThatThrownBy(() ->
                        ofParquet(dataset, buffer(frames("\177B\0\0\0\2", "\0", 1, nul, 2, TEXT, "\0", 7, 8, "\177E"))))
                .hasMessageStartingWith("line 2: ")
                .hasMessageContaining("NUL");
    }

    @Test
    void whatIsNotTheFormIsAFailureOfTheParser() {
        int tooLong = FieldFrames.MAX_FIELD_BYTES + 1;
        List<byte[]> wrong = List.of(
                frames(),
                frames("\177"),
                frames("\177X"),
                frames("\177U"),
                frames("\1a"),
                frames("\177B\0\0\0\0", "\177E"),
                frames("\177B\0\0\10\1", new byte[100_000], "\177E"),
                frames("\177B\u00ff\u00ff\u00ff\u00ff", new byte[100_000], "\177E"),
                frames(ONE_ROW, "\177E"),
                frames(ONE_ROW, "\0", 1, TEXT, "\0", 7),
                frames(ONE_ROW, "\0", -1, TEXT, "\0", 7, "\177E"),
                frames(ONE_ROW, "\0", Integer.MIN_VALUE, TEXT, "\0", 7, "\177E"),
                frames(ONE_ROW, "\0", tooLong, TEXT, new byte[tooLong], "\0", 7, "\177E"),
                frames(ONE_ROW, "\0", 13, TEXT, "\0", 7, "\177E"),
                frames(
                        "\177B\0\0\0\2",
                        "\0",
                        tooLong / 2 + 1,
                        TEXT,
                        tooLong / 2 + 1,
                        TEXT,
                        "y".repeat(tooLong + 1),
                        "\0",
                        7,
                        7,
                        "\177E"),
                frames(ONE_ROW, "\0", 1, TEXT, "\1", 7, "\177E"));
        for (int i = 0; i < wrong.size(); i++) {
            byte[] frames = wrong.get(i);
            assertThatThrownBy(() -> ofFrames(frames)).as("%d", i).isInstanceOf(ParserFailure.class);
        }
    }

    /** So many fields at once that memory would depend on the file. */
    @Test
    void aBatchOfManyColumnsHasFewRows() {
        StringBuilder header = new StringBuilder();
        for (int i = 0; i < 5000; i++) {
            header.append((char) (i == 4999 ? 0x81 : 1)).append(i == 0 ? 'n' : 'm');
        }
        byte[] frames = (header + "\177B\0\0\0\5" + "\0".repeat(5000 * 100)).getBytes(ISO_8859_1);
        assertThatThrownBy(() -> ofFrames(frames)).isInstanceOf(ParserFailure.class);
    }

    @Test
    void noiseEndsInAFailureAndInLittleMemory() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] noise = new byte[1 << 14];
            random.nextBytes(noise);
            byte[] frames = frames(ONE_ROW.substring(0, 4), "\0" + (char) (1 + random.nextInt(8)), noise);
            FrameBuffer buffer = buffer(frames);
            Dataset dataset = DatasetsForTests.rows("x", DatasetsForTests.integer("n", 0, 9));
            assertThat(catchThrowable(() -> ofParquet(dataset, buffer)))
                    .as("seed %d", seed)
                    .isInstanceOfAny(ParserFailure.class, ProblemException.class);
            assertThat(buffer.bytes.length).isLessThanOrEqualTo(4 * FieldFrames.MAX_FIELD_BYTES);
        }
    }

    /** The double that a number is known by, and the double that its text is known by. */
    @Test
    void numbersAreKnownAsTheirTextsAre() {
        Random random = new Random(3);
        byte[] digits = new byte[NumberText.MAX_BYTES];
        NumberText text = new NumberText(digits);
        TextField field = new TextField();
        int all = 0;
        for (int i = 0; i < 500_000; i++) {
            FieldForm.Numbers form = random.nextBoolean()
                    ? new FieldForm.Doubles()
                    : new FieldForm.Unscaled(random.nextInt(19), Long.BYTES, 0);
            long word = random.nextBoolean() || form instanceof FieldForm.Unscaled
                    ? random.nextLong() >> random.nextInt(64)
                    : Double.doubleToLongBits(random.nextInt(1 << 24) / 100.0);
            double known = form.exactDouble(word);
            if (!Double.isNaN(known)) {
                all++;
                double ofText = field.set(digits, 0, form.write(word, text)).exactDouble();
                assertThat(ofText + 0.0).as("%s %d", form, word).isEqualTo(known + 0.0);
            }
        }
        assertThat(all).isBetween(300_000, 499_000);
    }
}
