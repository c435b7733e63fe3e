package dev.purser.dataset.parser;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The rows of a Parquet file, handed over in batches: the numbers that most columns hold as numbers, all else as the text that DuckDB
 * writes into a CSV file, so that both formats mean the same. NULL is an empty text.
 *
 * <p>No name and no text of the file becomes part of a statement. DuckDB may open the file, nothing else.
 */
final class ParquetRows implements AutoCloseable {
    /** Whose values fit into 64 bits, with the signed type that they are read as and its bytes. */
    private static final Map<String, WholeType> WHOLE = Map.of(
            "TINYINT", new WholeType("TINYINT", Byte.BYTES),
            "SMALLINT", new WholeType("SMALLINT", Short.BYTES),
            "INTEGER", new WholeType("INTEGER", Integer.BYTES),
            "BIGINT", new WholeType("BIGINT", Long.BYTES),
            "UTINYINT", new WholeType("SMALLINT", Short.BYTES),
            "USMALLINT", new WholeType("INTEGER", Integer.BYTES),
            "UINTEGER", new WholeType("BIGINT", Long.BYTES));

    /** DuckDB keeps a DECIMAL in so few bytes as its digits permit. */
    private static final int MAX_DIGITS_OF_SHORT = 4;

    private static final int MAX_DIGITS_OF_INT = 9;

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
     * @throws MalformedUpload if a text is too long
     */
    void write(FieldWriter writer) throws SQLException, IOException {
        List<FieldWriter.HeaderColumn> header = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        describe(header, columns);
        writer.header(header);
        long rows = count();
        long read = 0;
        try (DuckDb.Rows some = database.query(selection(columns), columns.size())) {
            Column[] kinds = columns.toArray(Column[]::new);
            while (some.next()) {
                write(some, kinds, HEADER_LINE + 1 + read, writer);
                read += some.count();
            }
        }
        if (read != rows) {
            throw new SQLException("rows are missing");
        }
    }

    /** Writes the rows before the first with a text that is too long, and then says that it is. */
    private static void write(DuckDb.Rows rows, Column[] columns, long firstLine, FieldWriter writer)
            throws IOException {
        int good = rows.count();
        int longest = 1;
        for (int i = 0; i < columns.length; i++) {
            for (int row = 0; columns[i].isText() && row < good; row++) {
                int length = rows.vector(i).lengthAt(row);
                if (length > FieldFrames.MAX_FIELD_BYTES) {
                    good = row;
                } else {
                    longest = Math.max(longest, length);
                }
            }
        }
        int most = Math.clamp(FieldFrames.MAX_BATCH_FIELDS / columns.length, 1, FieldFrames.MAX_BATCH_ROWS);
        int together = Math.clamp(FieldFrames.MAX_FIELD_BYTES / longest, 1, most);
        for (int from = 0; from < good; from += together) {
            writeBatch(rows, columns, from, Math.min(together, good - from), longest, writer);
        }
        if (good < rows.count()) {
            throw new MalformedUpload(firstLine + good, FormRule.FIELD_TOO_LONG);
        }
    }

    private static void writeBatch(
            DuckDb.Rows rows, Column[] columns, int from, int count, int longest, FieldWriter writer)
            throws IOException {
        writer.beginBatch(count);
        writeColumns(rows, columns, from, count, longest, writer);
        if (!writer.endBatch()) {
            writer.beginStreamedBatch(count);
            writeColumns(rows, columns, from, count, longest, writer);
        }
    }

    private static void writeColumns(
            DuckDb.Rows rows, Column[] columns, int from, int count, int longest, FieldWriter writer)
            throws IOException {
        for (int i = 0; i < columns.length; i++) {
            DuckDb.Vector column = rows.vector(i);
            writer.column(column, from, count, columns[i].form.bytesOfRow());
            for (int row = from;
                    columns[i].isText() && longest > FieldFrames.MAX_INLINED && row < from + count;
                    row++) {
                int length = column.lengthAt(row);
                if (length > FieldFrames.MAX_INLINED) {
                    writer.longText(column.bytesAt(row, length));
                }
            }
        }
    }

    private void describe(List<FieldWriter.HeaderColumn> header, List<Column> columns) throws SQLException {
        String description = "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM " + source + ")";
        try (DuckDb.Rows some = database.query(description, 2)) {
            while (some.next()) {
                for (int row = 0; row < some.count(); row++) {
                    String type = text(some.vector(1), row);
                    boolean typed = WHOLE.containsKey(type)
                            || TYPED.contains(type)
                            || DECIMAL.matcher(type).matches();
                    Column column = Column.of(type);
                    header.add(new FieldWriter.HeaderColumn(text(some.vector(0), row), typed, column.form));
                    columns.add(column);
                }
            }
        }
    }

    private static String text(DuckDb.Vector texts, int row) {
        return new String(texts.bytesAt(row, texts.lengthAt(row)).toArray(JAVA_BYTE), UTF_8);
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

    private record WholeType(String name, int bytes) {}

    /** How a column is asked for, and handed over. */
    private record Column(FieldWriter.HeaderColumn.Form form, String cast) {
        static Column of(String type) {
            WholeType whole = WHOLE.get(type);
            if (whole != null) {
                return new Column(new FieldWriter.HeaderColumn.Unscaled(0, whole.bytes, 0), whole.name);
            }
            Matcher decimal = DECIMAL.matcher(type);
            if (decimal.matches()) {
                int digits = Integer.parseInt(decimal.group(1));
                int decimals = Integer.parseInt(decimal.group(2));
                if (digits <= FieldFrames.MAX_DECIMALS) {
                    long limit = BigInteger.TEN.pow(digits).longValueExact();
                    return new Column(
                            new FieldWriter.HeaderColumn.Unscaled(decimals, bytesOfDecimal(digits), limit), type);
                }
            }
            return type.equals("DOUBLE")
                    ? new Column(new FieldWriter.HeaderColumn.Doubles(), type)
                    : new Column(new FieldWriter.HeaderColumn.Texts(), "VARCHAR");
        }

        private static int bytesOfDecimal(int digits) {
            if (digits <= MAX_DIGITS_OF_SHORT) {
                return Short.BYTES;
            }
            return digits <= MAX_DIGITS_OF_INT ? Integer.BYTES : Long.BYTES;
        }

        boolean isText() {
            return form instanceof FieldWriter.HeaderColumn.Texts;
        }
    }
}
