package dev.purser.upload.parquet;

import dev.hardwood.internal.reader.ValueConverter;
import dev.hardwood.metadata.LogicalType;
import dev.hardwood.metadata.PhysicalType;
import dev.hardwood.metadata.RepetitionType;
import dev.hardwood.schema.FileSchema;
import dev.hardwood.schema.SchemaNode;
import java.io.IOException;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of the values of one column, by its type. The types are from the Parquet format specification.
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
    private final SchemaNode.PrimitiveNode column;
    private final Values values;

    private ColumnText(SchemaNode.PrimitiveNode column, Values values) {
        this.column = column;
        this.values = values;
    }

    /** Writes a value that is not missing. */
    @FunctionalInterface
    private interface Values {
        void write(PagedValues value, CsvWriter csv) throws IOException;
    }

    /**
     * The columns of a file, in order.
     *
     * @throws RefusedFileException if a column is nested or has another type
     */
    static List<ColumnText> of(FileSchema schema) throws RefusedFileException {
        List<ColumnText> columns = new ArrayList<>();
        for (SchemaNode node : schema.getRootNode().children()) {
            if (!(node instanceof SchemaNode.PrimitiveNode column)
                    || column.repetitionType() == RepetitionType.REPEATED
                    || !(values(column) instanceof Values values)) {
                throw new RefusedFileException(ParquetToCsv.UNSUPPORTED_COLUMN, node.name());
            }
            columns.add(new ColumnText(column, values));
        }
        return columns;
    }

    private static @Nullable Values values(SchemaNode.PrimitiveNode column) {
        PhysicalType type = column.type();
        return switch (column.logicalType()) {
            case null -> ofPhysical(column);
            case LogicalType.IntType(int _, boolean isSigned)
            when !isSigned ->
                type == PhysicalType.INT32
                        ? (value, csv) -> csv.plain(Integer.toUnsignedString((int) value.number()))
                        : (value, csv) -> csv.plain(Long.toUnsignedString(value.number()));
            case LogicalType.IntType _ -> ofPhysical(column);
            // All values of this column are missing, even if they are stored as zeros.
            case LogicalType.NullType _ -> (value, csv) -> csv.plain("");
            case LogicalType.Float16Type _ ->
                (value, csv) -> csv.plain(Float.toString(ValueConverter.convertToFloat(value.bytes(), column)));
            case LogicalType.DecimalType _ ->
                (value, csv) -> csv.plain(ValueConverter.convertToDecimal(boxed(value, type), column)
                        .toPlainString());
            case LogicalType.DateType _ ->
                (value, csv) -> csv.plain(
                        ValueConverter.convertToDate(boxed(value, type), column).toString());
            case LogicalType.TimestampType time ->
                time.isAdjustedToUTC()
                        ? (value, csv) -> csv.plain(ValueConverter.convertToTimestamp(boxed(value, type), column)
                                .toString())
                        : (value, csv) -> csv.plain(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
                                ValueConverter.convertToLocalTimestamp(boxed(value, type), column)));
            case LogicalType.StringType _, LogicalType.EnumType _, LogicalType.JsonType _ ->
                (value, csv) -> csv.text(value.bytes());
            case LogicalType.UuidType _ ->
                (value, csv) -> csv.plain(
                        ValueConverter.convertToUuid(value.bytes(), column).toString());
            default -> null;
        };
    }

    private static @Nullable Values ofPhysical(SchemaNode.PrimitiveNode column) {
        return switch (column.type()) {
            case BOOLEAN -> (value, csv) -> csv.plain(Boolean.toString(value.number() != 0));
            case INT32 -> (value, csv) -> csv.plain(Integer.toString((int) value.number()));
            case INT64 -> (value, csv) -> csv.plain(Long.toString(value.number()));
            case INT96 ->
                (value, csv) -> csv.plain(
                        ValueConverter.convertToTimestamp(value.bytes(), column).toString());
            case FLOAT -> (value, csv) -> csv.plain(Float.toString(Float.intBitsToFloat((int) value.number())));
            case DOUBLE -> (value, csv) -> csv.plain(Double.toString(Double.longBitsToDouble(value.number())));
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> null;
        };
    }

    /** A value of this type as the object that the library hardwood expects. */
    private static Object boxed(PagedValues value, PhysicalType type) {
        return switch (type) {
            case INT32 -> (int) value.number();
            case INT64 -> value.number();
            case BOOLEAN, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> value.bytes();
        };
    }

    String name() {
        return column.name();
    }

    /** The column's position among the columns of a row group. */
    int position() {
        return column.columnIndex();
    }

    /** Writes the field of a row. */
    void write(PagedValues value, CsvWriter csv) throws IOException {
        if (value.isNull()) {
            csv.plain("");
        } else {
            values.write(value, csv);
        }
    }
}
