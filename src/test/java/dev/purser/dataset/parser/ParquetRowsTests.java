package dev.purser.dataset.parser;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What is handed over of a Parquet file: numbers as they are, and all else as DuckDB writes it into a CSV file of the same rows. */
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

    private static List<String> shown(String query) throws SQLException, IOException {
        return ParquetFrames.shown(ParquetFrames.of(ParquetRows.ofQuery("(" + query + ")")));
    }

    /** Integers, decimals and doubles as they are, whatever DuckDB keeps them in. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(-128)::TINYINT | N0:1 | -128e-0",
                "(-32768)::SMALLINT | N0:2 | -32768e-0",
                "(-2147483648)::INTEGER | N0:4 | -2147483648e-0",
                "(-9223372036854775808)::BIGINT | N0:8 | -9223372036854775808e-0",
                "255::UTINYINT | N0:2 | 255e-0",
                "65535::USMALLINT | N0:4 | 65535e-0",
                "4294967295::UINTEGER | N0:8 | 4294967295e-0",
                "(-0.99)::DECIMAL(2, 2) | N2:2:100 | -99e-2",
                "(-9999)::DECIMAL(4, 0) | N0:2:10000 | -9999e-0",
                "12345::DECIMAL(5, 0) | N0:4:100000 | 12345e-0",
                "0.000000001::DECIMAL(9, 9) | N9:4:1000000000 | 1e-9",
                "1234567890::DECIMAL(10, 0) | N0:8:10000000000 | 1234567890e-0",
                "0.999999999999999999::DECIMAL(18, 18) | N18:8:1000000000000000000 | 999999999999999999e-18",
                "0.5::DOUBLE | D | 4602678819172646912e-0",
            })
    void numbersAreHandedOverAsTheyAre(String value, String form, String shown) throws Exception {
        String written = form.startsWith("N0:") && !value.contains("DECIMAL") ? form + ":0" : form;
        assertThat(shown("SELECT " + value + " AS a, NULL::INTEGER AS b, " + value + " AS c"))
                .containsExactly("a/" + written + " b/N0:4:0 c/" + written, shown + " '' " + shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hash(i)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(19, 3)",
                "(9000000000000000000 + i)::DECIMAL(19, 0)",
                "(RANDOM % 1000000 / 1000)::DECIMAL(38, 3)",
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
    void allElseIsTheTextOfCsv(String value) throws Exception {
        String exact = value.replace("RANDOM", RANDOM.formatted(value.length()));
        String query = "SELECT * FROM (SELECT " + exact + " AS a, CASE WHEN hash(i) % 3 = 0 THEN a END AS \"b\""
                + " FROM range(" + ROWS + ") t(i))";
        List<String> parquet = ParquetFrames.shown(ParquetFrames.of(written(query)));
        assertThat(parquet.subList(1, parquet.size())).isEqualTo(csv(query));
    }

    private List<String> csv(String query) throws SQLException, IOException {
        Path csv = folder.resolve("rows.csv");
        execute("COPY (" + query + ") TO '" + csv + "' (FORMAT csv, HEADER true)");
        CsvScanner scanner = new CsvScanner(new ByteArrayInputStream(Files.readAllBytes(csv)), 1);
        List<String> rows = new ArrayList<>();
        StringJoiner row = new StringJoiner(" ");
        while (scanner.next()) {
            row.add("'" + new String(scanner.bytes(), scanner.from(), scanner.to() - scanner.from(), UTF_8) + "'");
            if (scanner.endsRecord()) {
                rows.add(row.toString());
                row = new StringJoiner(" ");
            }
        }
        return rows.subList(1, rows.size());
    }

    @Test
    void aFileWithoutRowsHasItsHeader() throws Exception {
        Path file = written("SELECT 1 AS a, 'x' AS b, [1] AS c WHERE false");
        assertThat(ParquetFrames.shown(ParquetFrames.of(file))).containsExactly("a/N0:4:0 b/ c/U");
    }

    @Test
    void manyColumnsOfOddNamesAreRead() throws Exception {
        StringBuilder select = new StringBuilder("SELECT 1 AS \"c1\", 2 AS \"\"\"\"\"\", 3 AS \"a, b\", 4 AS \"ü\"");
        StringJoiner names =
                new StringJoiner(" ").add("c1/#").add("\"\"/#").add("a, b/#").add("ü/#");
        StringJoiner values =
                new StringJoiner(" ").add("1e-0").add("2e-0").add("3e-0").add("4e-0");
        for (int i = 0; i < 2000; i++) {
            select.append(", ").append(i).append(" AS \"c").append(i + 5000).append('"');
            names.add("c" + (i + 5000) + "/#");
            values.add(i + "e-0");
        }
        assertThat(ParquetFrames.shown(ParquetFrames.of(written(select + " FROM range(20)"))))
                .startsWith(names.toString().replace("#", "N0:4:0"), values.toString())
                .hasSize(21);
    }

    /** Of rows that do not fit into one batch, for their number or for a long text; and the missing ones in all places of a word. */
    @Test
    void rowsOfManyBatchesAreAllThere() throws Exception {
        String query = "SELECT CASE WHEN i % 7 > 0 THEN i END::INTEGER AS a,"
                + " repeat('y', CASE WHEN i = 2500 THEN 300000 ELSE i % 20 END::INTEGER) AS b FROM range(5000) t(i)";
        List<String> shown = ParquetFrames.shown(ParquetFrames.of(written(query)));
        assertThat(shown).hasSize(5001);
        for (int i = 0; i < 5000; i++) {
            assertThat(shown.get(i + 1))
                    .isEqualTo((i % 7 > 0 ? i + "e-0" : "''") + " '" + "y".repeat(i == 2500 ? 300_000 : i % 20) + "'");
        }
    }

    @Test
    void aTextThatIsTooLongIsRefusedWhereItStands() throws Exception {
        Path file = written("SELECT i, repeat('x', CASE WHEN i = 3000 THEN 1048577 ELSE 3 END) FROM range(5000) t(i)");
        assertThatExceptionOfType(MalformedUpload.class)
                .isThrownBy(() -> ParquetFrames.of(file))
                .matches(refused -> refused.rule() == FormRule.FIELD_TOO_LONG && refused.line() == 3002);
    }

    @Test
    void whatFailsOnTheWayIsNoEnd() {
        String late =
                "(SELECT CASE WHEN i < 3000000 THEN i ELSE error('late')::BIGINT END AS a FROM range(4000000) t(i))";
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> ParquetFrames.of(ParquetRows.ofQuery(late)))
                .withMessage("DuckDB cannot read on");
    }

    @Test
    void aDamagedGroupOfRowsIsNoEnd() throws Exception {
        Path file = written("SELECT hash(i) AS a, md5(i::VARCHAR) AS b FROM range(50000) t(i)");
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.seek(damaged.length() / 2);
            damaged.write(new byte[5000]);
        }
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> ParquetFrames.of(ParquetRows.ofFile(file)));
    }

    @Test
    void rowsThatAreMissingAreNoticed() {
        String changing = "(SELECT i AS a FROM range(1000000) t(i) WHERE i < txid_current())";
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> ParquetFrames.of(ParquetRows.ofQuery(changing)))
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
        assertThat(shown("SELECT current_setting('" + setting + "')::VARCHAR AS a"))
                .containsExactly("a/", "'" + value + "'");
    }

    @Test
    void nothingButTheFileIsOpened() throws Exception {
        Path other = Files.writeString(folder.resolve("other.csv"), "a\n1\n");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> ParquetFrames.of(ParquetRows.ofQuery("read_csv('" + other + "')")));
        Path quoted = Files.move(written("SELECT 1 AS a"), folder.resolve("a'; DROP.parquet"));
        assertThat(ParquetFrames.of(ParquetRows.ofFile(quoted))).isNotEmpty();
    }
}
