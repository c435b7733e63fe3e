package dev.purser.dataset.parser;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The rows of a Parquet file as fields of text, in the words that DuckDB writes into a CSV file: so both formats mean the same.
 * NULL is an empty text. The numbers that most columns hold are written here, all else by DuckDB.
 *
 * <p>No name and no text of the file becomes part of a statement. DuckDB may open the file, nothing else.
 */
final class ParquetRows implements AutoCloseable {
    /** Their values fit into 64 bits. */
    private static final Set<String> WHOLE =
            Set.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER");

    /** Further types of which every value has one exact text; of DECIMAL whatever its digits. */
    private static final Set<String> TYPED = Set.of(
            "HUGEINT",
            "UBIGINT",
            "UHUGEINT",
            "FLOAT",
            "DOUBLE",
            "BOOLEAN",
            "DATE",
            "TIMESTAMP",
            "TIMESTAMP_NS",
            "TIMESTAMP WITH TIME ZONE",
            "UUID",
            "VARCHAR");

    private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),(\\d+)\\)");
    private static final int MAX_DIGITS = 18;
    private static final long HEADER_LINE = 1;

    private final String source;
    private final DuckDb database;

    private ParquetRows(String source, List<String> permitted) throws SQLException {
        this.source = source;
        database = DuckDb.open(List.of(
                "SET memory_limit = '256MB'",
                "SET temp_directory = ''",
                "SET autoinstall_known_extensions = false",
                "SET autoload_known_extensions = false",
                // Whatever the zone of this host, and whatever offsets it once had.
                "SET TimeZone = 'UTC'",
                "SET allowed_paths = [" + String.join(", ", permitted) + "]",
                "SET enable_external_access = false",
                "SET lock_configuration = true"));
    }

    /** Gets ready to read a file, without looking at it. */
    static ParquetRows ofFile(Path file) throws SQLException {
        String path = "'" + file.toString().replace("'", "''") + "'";
        return new ParquetRows("read_parquet(" + path + ", hive_partitioning = false)", List.of(path));
    }

    /** Rows that come from no file. */
    static ParquetRows ofQuery(String query) throws SQLException {
        return new ParquetRows(query, List.of());
    }

    /**
     * Writes the header and all rows.
     *
     * @throws SQLException if the file is not Parquet, or cannot be read to its end in the memory there is
     * @throws MalformedUpload if a text has a NUL or is too long, or a decimal more digits than its column
     */
    void write(FieldWriter writer) throws SQLException, IOException {
        List<FieldWriter.HeaderColumn> header = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        describe(header, columns);
        writer.header(header);
        long rows = count();
        long read = 0;
        try (DuckDb.Rows some = database.query(selection(columns), columns.size())) {
            FieldText text = new FieldText();
            Column[] kinds = columns.toArray(Column[]::new);
            while (some.next()) {
                write(some, kinds, HEADER_LINE + 1 + read, text, writer);
                read += some.count();
            }
        }
        if (read != rows) {
            throw new SQLException("rows are missing");
        }
    }

    private static void write(DuckDb.Rows rows, Column[] columns, long firstLine, FieldText text, FieldWriter writer)
            throws IOException {
        int last = columns.length - 1;
        for (int row = 0; row < rows.count(); row++) {
            for (int i = 0; i <= last; i++) {
                text.read(columns[i], rows.vector(i), row, firstLine + row);
                writer.field(text.bytes, text.length, i == last);
            }
        }
    }

    private void describe(List<FieldWriter.HeaderColumn> header, List<Column> columns) throws SQLException {
        String description = "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + source + ")";
        try (DuckDb.Rows some = database.query(description, 2)) {
            while (some.next()) {
                for (int row = 0; row < some.count(); row++) {
                    String type = text(some.vector(1), row);
                    boolean typed = WHOLE.contains(type)
                            || TYPED.contains(type)
                            || DECIMAL.matcher(type).matches();
                    header.add(new FieldWriter.HeaderColumn(text(some.vector(0), row), typed));
                    columns.add(Column.of(type));
                }
            }
        }
    }

    private static String text(DuckDb.Vector texts, int row) {
        byte[] bytes = new byte[texts.lengthAt(row)];
        texts.copyAt(row, bytes.length, bytes);
        return new String(bytes, UTF_8);
    }

    /** How many rows the file says that it has. */
    private long count() throws SQLException {
        long count = 0;
        try (DuckDb.Rows some = database.query("SELECT count(*) FROM " + source, 1)) {
            while (some.next()) {
                count = some.vector(0).longAt(0);
            }
        }
        return count;
    }

    private String selection(List<Column> columns) {
        StringBuilder select = new StringBuilder("SELECT ");
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            String separator = i == 0 ? "" : ", ";
            select.append(separator).append("c").append(i).append("::").append(columns.get(i).cast);
            names.append(separator).append("c").append(i);
        }
        return select + " FROM " + source + " AS t(" + names + ")";
    }

    @Override
    public void close() {
        database.close();
    }

    /**
     * How a column is asked for, and read.
     *
     * @param decimals of a number whose unscaled value is read
     * @param limit what that value stays below, with its sign or without; 0 if it may be any
     * @param leadingZero whether a zero stands before the point of a number below one
     */
    private record Column(Kind kind, String cast, int decimals, long limit, boolean leadingZero) {
        private enum Kind {
            UNSCALED,
            DOUBLE,
            TEXT
        }

        static Column of(String type) {
            if (WHOLE.contains(type)) {
                return new Column(Kind.UNSCALED, "BIGINT", 0, 0, true);
            }
            Matcher decimal = DECIMAL.matcher(type);
            if (decimal.matches()) {
                int digits = Integer.parseInt(decimal.group(1));
                int decimals = Integer.parseInt(decimal.group(2));
                if (digits <= MAX_DIGITS) {
                    String cast = "DECIMAL(" + MAX_DIGITS + ", " + decimals + ")";
                    long limit = BigInteger.TEN.pow(digits).longValueExact();
                    return new Column(Kind.UNSCALED, cast, decimals, limit, digits > decimals);
                }
            }
            return type.equals("DOUBLE")
                    ? new Column(Kind.DOUBLE, type, 0, 0, true)
                    : new Column(Kind.TEXT, "VARCHAR", 0, 0, true);
        }
    }

    /** The text of one value after the other. */
    private static final class FieldText {
        private byte[] bytes = new byte[NumberText.MAX_BYTES];
        private NumberText numbers = new NumberText(bytes);
        private int length;

        void read(Column column, DuckDb.Vector values, int row, long line) {
            if (values.isNull(row)) {
                length = 0;
                return;
            }
            switch (column.kind) {
                case UNSCALED -> readUnscaled(column, values.longAt(row), line);
                case DOUBLE -> length = numbers.write(values.doubleAt(row));
                case TEXT -> readText(values, row, line);
            }
        }

        private void readUnscaled(Column column, long unscaled, long line) {
            if (column.limit > 0 && (unscaled >= column.limit || unscaled <= -column.limit)) {
                throw new MalformedUpload(line, FormRule.NOT_PARQUET);
            }
            length = numbers.write(unscaled, column.decimals, column.leadingZero);
        }

        private void readText(DuckDb.Vector values, int row, long line) {
            length = values.lengthAt(row);
            if (length > FieldFrames.MAX_FIELD_BYTES) {
                throw new MalformedUpload(line, FormRule.FIELD_TOO_LONG);
            }
            if (length > bytes.length) {
                bytes = new byte[Math.max(length, 2 * bytes.length)];
                numbers = new NumberText(bytes);
            }
            values.copyAt(row, length, bytes);
            for (int i = 0; i < length; i++) {
                if (bytes[i] == 0) {
                    throw new MalformedUpload(line, FormRule.NUL);
                }
            }
        }
    }
}
