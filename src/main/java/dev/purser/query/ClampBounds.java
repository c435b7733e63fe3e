package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The range to which values are clamped, in grid steps: the column's bounds, narrowed by the request.
 *
 * @param lower at most {@code upper}
 */
record ClampBounds(long lower, long upper) {
    /** The fields for a column of numbers, as the API describes them. */
    static final List<Field<?>> OF_NUMBERS = fields(new Shape.Decimal(null, null));

    /** The fields for a column of any values that have an order. */
    static final List<Field<?>> OF_VALUES = fields(ColumnValue.SHAPE);

    private static final Field<ValueReader> LOWER = lower(ColumnValue.SHAPE);
    static final Field<ValueReader> UPPER = upper(ColumnValue.SHAPE);

    private static List<Field<?>> fields(Shape bound) {
        return List.of(lower(bound), upper(bound));
    }

    private static Field<ValueReader> lower(Shape bound) {
        return Field.optional("lower", FieldType.unread(bound), "Narrows the column's lower bound.", 0);
    }

    private static Field<ValueReader> upper(Shape bound) {
        return Field.optional("upper", FieldType.unread(bound), "Narrows the column's upper bound.", 125);
    }

    /** The value that an absent field of a request about this column stands for; null if there is none. */
    static @Nullable Object absent(Field<?> field, Column.Numeric column) {
        return switch (field.name()) {
            case "lower" -> column.notation().shown(column.lower()).json();
            case "upper" -> column.notation().shown(column.upper()).json();
            default -> field.defaultValue();
        };
    }

    /** Whether nothing in the column is clamped. */
    boolean areOf(Column.Numeric column) {
        return lower == column.lower() && upper == column.upper();
    }

    static Optional<ClampBounds> read(ObjectReader in, Optional<Column.Numeric> column) {
        // Both fields are read here in any case, so that they do not count as unknown fields.
        in.know(LOWER, UPPER);
        return column.flatMap(known -> {
            Optional<Long> lower = bound(in, LOWER, known);
            Optional<Long> upper = bound(in, UPPER, known);
            if (!in.isIntact()) {
                return Optional.empty();
            }
            long least = lower.orElse(known.lower());
            long greatest = upper.orElse(known.upper());
            if (least > greatest) {
                in.refuse(UPPER, "upper must be at least lower");
                return Optional.empty();
            }
            return Optional.of(new ClampBounds(least, greatest));
        });
    }

    private static Optional<Long> bound(ObjectReader in, Field<ValueReader> field, Column.Numeric column) {
        Notation notation = column.notation();
        return in.read(field).flatMap(notation::read).filter(steps -> {
            boolean within = steps >= column.lower() && steps <= column.upper();
            if (!within) {
                in.refuse(
                        field,
                        field.name() + " must lie within the column's bounds "
                                + notation.shown(column.lower()) + " and " + notation.shown(column.upper()) + ", was "
                                + notation.shown(steps));
            }
            return within;
        });
    }
}
