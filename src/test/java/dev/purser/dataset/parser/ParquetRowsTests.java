package dev.purser.dataset.parser;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The fields of a Parquet file, held against those of the CSV file that DuckDB writes of the same rows. */
class ParquetRowsTests {
    /** More than DuckDB hands out at once, and no multiple of it. */
    private static final int ROWS = 5000;

    private static final String RANDOM = "(hash(i, %d) // 4)::BIGINT";

    @TempDir
    private Path folder;

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET TimeZone = 'UTC'");
            statement.execute(sql);
        }
    }

    private Path written(String query) throws SQLException {
        Path file = folder.resolve("rows.parquet");
        execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
        return file;
    }

    private static byte[] frames(ParquetRows rows) throws SQLException, IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        FieldWriter writer = new FieldWriter(frames);
        try (rows) {
            rows.write(writer);
        }
        writer.end();
        return frames.toByteArray();
    }

    private byte[] framesOfCsv(String query) throws SQLException, IOException {
        Path csv = folder.resolve("rows.csv");
        execute("COPY (" + query + ") TO '" + csv + "' (FORMAT csv, HEADER true)");
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        ParseUpload.csv(new ByteArrayInputStream(Files.readAllBytes(csv)), frames);
        return frames.toByteArray();
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
                "(i % 256)::UTINYINT",
                "(i % 65536)::USMALLINT",
                "(RANDOM % 4294967296)::UINTEGER",
                "hash(i)",
                "((i % 199 - 99) / 100)::DECIMAL(2, 2)",
                "(i - 2500)::DECIMAL(4, 0)",
                "((i - 2500) / 1000)::DECIMAL(4, 3)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(9, 3)",
                "(RANDOM % 1000000 / 1000000000)::DECIMAL(18, 18)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(19, 3)",
                "(9000000000000000000 + i)::DECIMAL(19, 0)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(38, 3)",
                "(i / 8)::DOUBLE",
                "(RANDOM / 3)::DOUBLE",
                "pow(-10, i % 600 - 300)::DOUBLE",
                "(i / 7)::FLOAT",
                "i % 3 = 0",
                "DATE '1890-02-03' + i::INTEGER * 11",
                "TIMESTAMP '1960-01-01' + INTERVAL (RANDOM % 9000000000000000) MICROSECOND",
                "(TIMESTAMP '1960-01-01' + INTERVAL (RANDOM % 9000000000000000) MICROSECOND)::TIMESTAMPTZ",
                "('1960-01-01 00:00:00.00000000' || i % 10)::TIMESTAMP_NS",
                "md5(i::VARCHAR)::UUID",
                "CASE i % 4 WHEN 0 THEN '' WHEN 1 THEN 'a,\"b\"' ELSE repeat('ü', (i % 40)::INTEGER) END",
                "repeat('x', CASE WHEN i = 4000 THEN 1048576 ELSE i END::INTEGER)",
                "[i, i + 1]",
                "{'a': i}",
                "INTERVAL (i) DAY"
            })
    void theFieldsAreThoseOfCsv(String value) throws Exception {
        String exact = value.replace("RANDOM", RANDOM.formatted(value.length()));
        String query = "SELECT * FROM (SELECT " + exact + " AS a, CASE WHEN hash(i) % 3 = 0 THEN a END AS \"b\", i AS c"
                + " FROM range(" + ROWS + ") t(i))";
        byte[] parquet = frames(ParquetRows.ofFile(written(query)));
        byte[] csv = framesOfCsv(query);
        assertThat(withoutControls(parquet)).isEqualTo(csv);
    }

    /** Without the notes that a column of the header is of a type that is not read, which CSV does not know. */
    private static byte[] withoutControls(byte[] frames) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        int from = 0;
        while (frames[from] == FieldFrames.CONTROL && frames[from + 1] == FieldFrames.UNTYPED) {
            kept.write(frames, from + 2, 2);
            from += 4;
        }
        kept.write(frames, from, frames.length - from);
        return kept.toByteArray();
    }

    @Test
    void aFileWithoutRowsHasItsHeader() throws Exception {
        Path file = written("SELECT 1 AS a, 'x' AS b WHERE false");
        assertThat(frames(ParquetRows.ofFile(file))).isEqualTo(framesOfCsv("SELECT 1 AS a, 'x' AS b WHERE false"));
    }

    @Test
    void manyColumnsOfOddNamesAreRead() throws Exception {
        StringBuilder select = new StringBuilder("SELECT 1 AS \"c1\", 2 AS \"\"\"\"\"\", 3 AS \"a, b\", 4 AS \"ü\"");
        for (int i = 0; i < 2000; i++) {
            select.append(", ").append(i).append(" AS \"c").append(i + 5000).append('"');
        }
        assertThat(frames(ParquetRows.ofFile(written(select.toString())))).isEqualTo(framesOfCsv(select.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'a' || chr(0)", "repeat('x', 30) || chr(0) || 'b'"})
    void aNulIsRefusedWhereItStands(String text) throws Exception {
        Path file = written("SELECT i, CASE WHEN i = 3000 THEN " + text + " ELSE 'a\nb' END FROM range(5000) t(i)");
        assertThatExceptionOfType(MalformedUpload.class)
                .isThrownBy(() -> frames(ParquetRows.ofFile(file)))
                .matches(refused -> refused.rule() == FormRule.NUL && refused.line() == 3002);
    }

    @Test
    void aTextThatIsTooLongIsRefusedWhereItStands() throws Exception {
        Path file = written("SELECT repeat('x', CASE WHEN i = 1 THEN 1048577 ELSE 3 END) FROM range(3) t(i)");
        assertThatExceptionOfType(MalformedUpload.class)
                .isThrownBy(() -> frames(ParquetRows.ofFile(file)))
                .matches(refused -> refused.rule() == FormRule.FIELD_TOO_LONG && refused.line() == 3);
    }

    /** Which no writer writes that keeps to the form: DuckDB would show other digits, or none. */
    @ParameterizedTest
    @ValueSource(strings = {"10000", "-10000", "32767"})
    void aDecimalOfMoreDigitsThanItsColumnIsRefused(String unscaled) throws Exception {
        Path file = written("SELECT (i * " + unscaled + ")::DECIMAL(9, 0) AS a FROM range(2) t(i)");
        declarePrecision(file, 9, 4);
        assertThatExceptionOfType(MalformedUpload.class)
                .isThrownBy(() -> frames(ParquetRows.ofFile(file)))
                .matches(refused -> refused.rule() == FormRule.NOT_PARQUET && refused.line() == 3);
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

    @Test
    void whatFailsOnTheWayIsNoEnd() {
        String late =
                "(SELECT CASE WHEN i < 3000000 THEN i ELSE error('late')::BIGINT END AS a FROM range(4000000) t(i))";
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> frames(ParquetRows.ofQuery(late)))
                .withMessage("DuckDB cannot read on");
    }

    @Test
    void aDamagedGroupOfRowsIsNoEnd() throws Exception {
        Path file = written("SELECT hash(i) AS a, md5(i::VARCHAR) AS b FROM range(50000) t(i)");
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.seek(damaged.length() / 2);
            damaged.write(new byte[5000]);
        }
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> frames(ParquetRows.ofFile(file)));
    }

    @Test
    void rowsThatAreMissingAreNoticed() {
        String changing = "(SELECT i AS a FROM range(1000000) t(i) WHERE i < txid_current())";
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> frames(ParquetRows.ofQuery(changing)))
                .withMessage("rows are missing");
    }

    @ParameterizedTest
    @CsvSource({
        "lock_configuration, true",
        "enable_external_access, false",
        "autoinstall_known_extensions, false",
        "autoload_known_extensions, false",
        "temp_directory, ''",
        "memory_limit, 244.1 MiB",
        "threads, 1",
        "TimeZone, UTC"
    })
    void duckDbIsShutIn(String setting, String value) throws Exception {
        String query = "SELECT current_setting('" + setting + "')::VARCHAR AS a";
        assertThat(frames(ParquetRows.ofQuery("(" + query + ")")))
                .isEqualTo(framesOfCsv("SELECT '" + value + "' AS a"));
    }

    @Test
    void nothingButTheFileIsOpened() throws Exception {
        Path other = Files.writeString(folder.resolve("other.csv"), "a\n1\n");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> frames(ParquetRows.ofQuery("read_csv('" + other + "')")));
        Path quoted = Files.move(written("SELECT 1 AS a"), folder.resolve("a'; DROP.parquet"));
        assertThat(frames(ParquetRows.ofFile(quoted))).isNotEmpty();
    }
}
