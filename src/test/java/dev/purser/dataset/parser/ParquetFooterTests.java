package dev.purser.dataset.parser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ParquetFooterTests {
    private static final int STOP = 0;

    @TempDir
    private Path folder;

    /** Descriptions that are written by hand, in hexadecimal digits; a list of structs without fields is {@code N C 00 …}. */
    private boolean isModest(byte[] description) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(description);
        file.writeBytes(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(description.length)
                .putInt(0x31524150)
                .array());
        return ParquetFooter.isModest(Files.write(folder.resolve("any.parquet"), file.toByteArray()));
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    /** A struct whose one field is a list of so many structs without fields. */
    private static byte[] structs(int field, int count) {
        ByteArrayOutputStream description = new ByteArrayOutputStream();
        description.write(field << 4 | 9);
        description.write(0xFC);
        writeNumber(description, count);
        description.writeBytes(new byte[count]);
        description.write(STOP);
        return description.toByteArray();
    }

    private static void writeNumber(ByteArrayOutputStream out, long number) {
        for (long left = number; ; left >>>= 7) {
            if (left < 0x80) {
                out.write((int) left);
                return;
            }
            out.write((int) (left & 0x7F | 0x80));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "15 02 00",
                // every type as a field: two truths, a byte, three numbers, a double, a text, a list, a set, a struct
                "81 12 13 ff 14 80 01 15 81 01 16 ff ff ff ff ff ff ff ff ff 01 17 00 00 00 00 00 00 00 00 18 02 61 62"
                        + " 19 25 02 04 1a 18 00 1c 11 00 00",
                // lists of truths and of lists, a field with its number in full
                "a9 21 0e 0e 19 19 15 02 05 f2 01 04 00",
                "29 2c 00 15 02 00 00",
                "09 08 1c 00 00",
            })
    void isModestWithAnythingThatIsAStruct(String digits) throws IOException {
        assertThat(isModest(hex(digits))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "15",
                "15 80",
                "18 05 61",
                "18 ff ff ff ff ff ff ff ff ff 01 61 00",
                "1c 15 02 00",
                "16 ff ff ff ff ff ff ff ff ff ff ff 01 00",
                "19 5c 00 00",
                // a map, a type that there is not, and a schema that is no list
                "6b 01 55 02 02 00",
                "6e 00",
                "25 02 00",
            })
    void isNotModestWithAnythingElse(String digits) throws IOException {
        assertThat(isModest(hex(digits))).isFalse();
    }

    @Test
    void countsWhatIsInTheSchemaAndHowManyGroupsThereAre() throws IOException {
        assertThat(isModest(structs(2, ParquetFooter.MAX_ELEMENTS))).isTrue();
        assertThat(isModest(structs(2, ParquetFooter.MAX_ELEMENTS + 1))).isFalse();
        assertThat(isModest(structs(4, ParquetFooter.MAX_ROW_GROUPS))).isTrue();
        assertThat(isModest(structs(4, ParquetFooter.MAX_ROW_GROUPS + 1))).isFalse();
        assertThat(isModest(structs(6, ParquetFooter.MAX_VALUES))).isTrue();
        assertThat(isModest(structs(6, ParquetFooter.MAX_VALUES + 1))).isFalse();
    }

    /** DuckDB reads a list's size as 31 bits, a field's number as 16, and takes elements for what they should be. */
    @Test
    void readsNumbersAsDuckDbDoes() throws IOException {
        assertThat(isModest(hex("49 0c 00"))).isTrue();
        assertThat(isModest(hex("49 fc c0 84 bd 80 80 80 80 80 80 01 00 00")))
                .as("a million and 2^63")
                .isFalse();
        assertThat(isModest(hex("69 fc c0 84 bd 80 80 80 80 80 80 01 00 00"))).isFalse();
        // Field 65540, of which 16 bits are 4.
        ByteArrayOutputStream wrapped = new ByteArrayOutputStream();
        wrapped.writeBytes(hex("09 88 80 08"));
        byte[] many = structs(4, ParquetFooter.MAX_ROW_GROUPS + 1);
        wrapped.write(many, 1, many.length - 1);
        assertThat(isModest(wrapped.toByteArray())).isFalse();
        for (String field : new String[] {"29", "49", "59", "79"}) {
            assertThat(isModest(hex(field + "1c 00 00"))).isTrue();
            assertThat(isModest(hex(field + "18 00 00")))
                    .as("a text, no struct")
                    .isFalse();
        }
    }

    @Test
    void countsTheElementsOfEveryList() throws IOException {
        assertThat(isModest(texts(ParquetFooter.MAX_VALUES))).isTrue();
        assertThat(isModest(texts(ParquetFooter.MAX_VALUES + 1))).isFalse();
    }

    /** A list of so many empty texts, in a field of no meaning. */
    private static byte[] texts(int count) {
        byte[] description = structs(6, count);
        description[1] = (byte) 0xF8;
        return description;
    }

    /** After a field with the same number, and one with a higher one. */
    @Test
    void countsThemWhereverTheyStand() throws IOException {
        byte[] many = structs(4, ParquetFooter.MAX_ROW_GROUPS + 1);
        for (String before : new String[] {"49 0c 09 08", "61 09 08", "75 02 09 08"}) {
            ByteArrayOutputStream description = new ByteArrayOutputStream();
            description.writeBytes(hex(before));
            description.write(many, 1, many.length - 1);
            assertThat(isModest(description.toByteArray())).isFalse();
        }
    }

    @Test
    void measuresTheSchema() throws IOException {
        assertThat(isModest(schemaWithAName(ParquetFooter.MAX_SCHEMA_BYTES - 10)))
                .isTrue();
        assertThat(isModest(schemaWithAName(ParquetFooter.MAX_SCHEMA_BYTES))).isFalse();
    }

    private static byte[] schemaWithAName(int length) {
        ByteArrayOutputStream description = new ByteArrayOutputStream();
        description.writeBytes(hex("29 1c 48"));
        writeNumber(description, length);
        description.writeBytes(new byte[length]);
        description.write(STOP);
        description.write(STOP);
        return description.toByteArray();
    }

    @Test
    void noStackIsDeepEnoughForMoreThanIsNeeded() throws IOException {
        byte[] nested = new byte[2_000_000];
        java.util.Arrays.fill(nested, 0, 1_000_000, (byte) 0x6C);
        assertThat(isModest(nested)).isFalse();
        java.util.Arrays.fill(nested, 0, 1_000_000, (byte) 0x19);
        assertThat(isModest(nested)).isFalse();
    }

    @Test
    void aFileThatIsNoParquetIsNot() throws IOException {
        assertThat(ParquetFooter.isModest(Files.writeString(folder.resolve("short"), "PAR1")))
                .isFalse();
        assertThat(ParquetFooter.isModest(Files.writeString(folder.resolve("text"), "a,b\n1,2\n3,4\n")))
                .isFalse();
    }

    @Test
    void whatDuckDbWritesIsModest() throws Exception {
        Path file = folder.resolve("written.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("COPY (SELECT i AS a, i::VARCHAR AS b, [i, NULL] AS c, {'x': i, 'y': [{'z': 1.5}]} AS d,"
                    + " MAP {'k': i} AS e, i::DECIMAL(30, 3) AS f, now() AS g FROM range(300000) t(i)) TO '" + file
                    + "' (FORMAT parquet, ROW_GROUP_SIZE 2048, KV_METADATA {k: 'v'})");
        }
        assertThat(ParquetFooter.isModest(file)).isTrue();
    }
}
