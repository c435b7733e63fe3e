package dev.purser.upload.parquet;

import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.metadata.RepetitionType;
import dev.hardwood.reader.RowReader;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import java.io.IOException;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of the values of one column, by its type. Types are those of the Parquet format specification.
 *
 * <pre>
 * BOOLEAN                       true, false
 * INT32, INT64, signed or not   all digits
 * FLOAT, DOUBLE, Float16        the shortest decimal that is read as the same number; NaN, Infinity, -Infinity
 * DECIMAL                       all digits, with as many behind the point as the type has
 * DATE                          2020-01-31
 * TIMESTAMP, INT96              2020-01-31T12:00:00.5Z in UTC; without the Z if it is a local time
 * STRING, ENUM, JSON            the text itself
 * UUID                          lower-case hexadecimal digits in five groups
 * </pre>
 *
 * A missing value and an empty text are both an empty field.
 */
final class ColumnText {
    private final String name;
    private final int position;
    private final Values values;

    private ColumnText(String name, int position, Values values) {
        this.name = name;
        this.position = position;
        this.values = values;
    }

    /** Writes a value that is there. */
    @FunctionalInterface
    private interface Values {
        void write(RowReader row, int position, CsvWriter csv) throws IOException;
    }

    /**
     * The columns of a file, in order.
     *
     * @throws RefusedFileException if one is nested or of another type
     */
    static List<ColumnText> of(FileSchema schema) throws RefusedFileException {
        List<ColumnText> columns = new ArrayList<>();
        for (SchemaNode node : schema.getRootNode().children()) {
            Values values = node instanceof SchemaNode.PrimitiveNode column
                            && column.repetitionType() != RepetitionType.REPEATED
                    ? values(column.type(), column.logicalType())
                    : null;
            if (values == null) {
                throw new RefusedFileException(ParquetToCsv.UNSUPPORTED_COLUMN, node.name());
            }
            columns.add(new ColumnText(node.name(), columns.size(), values));
        }
        return columns;
    }

    private static @Nullable Values values(PhysicalType type, @Nullable LogicalType logical) {
        return switch (logical) {
            case null -> ofPhysical(type);
            case LogicalType.IntType(int _, boolean isSigned)
            when !isSigned ->
                type == PhysicalType.INT32
                        ? (row, i, csv) -> csv.plain(Integer.toUnsignedString(row.getInt(i)))
                        : (row, i, csv) -> csv.plain(Long.toUnsignedString(row.getLong(i)));
            case LogicalType.IntType _, LogicalType.NullType _ -> ofPhysical(type);
            case LogicalType.Float16Type _ -> (row, i, csv) -> csv.plain(Float.toString(row.getFloat(i)));
            case LogicalType.DecimalType _ ->
                (row, i, csv) -> csv.plain(row.getDecimal(i).toPlainString());
            case LogicalType.DateType _ ->
                (row, i, csv) -> csv.plain(row.getDate(i).toString());
            case LogicalType.TimestampType time ->
                time.isAdjustedToUTC()
                        ? (row, i, csv) -> csv.plain(row.getTimestamp(i).toString())
                        : (row, i, csv) ->
                                csv.plain(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(row.getLocalTimestamp(i)));
            case LogicalType.StringType _, LogicalType.EnumType _, LogicalType.JsonType _ ->
                (row, i, csv) -> csv.text(row.getBinary(i));
            case LogicalType.UuidType _ ->
                (row, i, csv) -> csv.plain(row.getUuid(i).toString());
            default -> null;
        };
    }

    private static @Nullable Values ofPhysical(PhysicalType type) {
        return switch (type) {
            case BOOLEAN -> (row, i, csv) -> csv.plain(Boolean.toString(row.getBoolean(i)));
            case INT32 -> (row, i, csv) -> csv.plain(Integer.toString(row.getInt(i)));
            case INT64 -> (row, i, csv) -> csv.plain(Long.toString(row.getLong(i)));
            case INT96 -> (row, i, csv) -> csv.plain(row.getTimestamp(i).toString());
            case FLOAT -> (row, i, csv) -> csv.plain(Float.toString(row.getFloat(i)));
            case DOUBLE -> (row, i, csv) -> csv.plain(Double.toString(row.getDouble(i)));
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> null;
        };
    }

    String name() {
        return name;
    }

    /** Writes the field of the current row. */
    void write(RowReader row, CsvWriter csv) throws IOException {
        if (row.isNull(position)) {
            csv.plain("");
        } else {
            values.write(row, position, csv);
        }
    }
}
