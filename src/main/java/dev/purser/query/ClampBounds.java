package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The range to which values are clamped, in grid steps: the column's bounds, narrowed by the request.
 *
 * @param lower at most {@code upper}
 */
record ClampBounds(long lower, long upper) {
    /** The fields as the API describes them. */
    static List<Field> fields(FieldType type) {
        return List.of(
                Field.optional("lower", type, "Narrows the column's lower bound.")
                        .withExample(0),
                Field.optional("upper", type, "Narrows the column's upper bound.")
                        .withExample(125));
    }

    /** What an absent field of a request about this column stands for; null if for nothing. */
    static @Nullable Object absent(Field field, Column.Numeric column) {
        return switch (field.name()) {
            case "lower" -> column.notation().shown(column.lower()).json();
            case "upper" -> column.notation().shown(column.upper()).json();
            default -> field.defaultValue();
        };
    }

    static Optional<ClampBounds> read(ObjectReader in, Optional<Column.Numeric> column) {
        // Both fields are read here in any case, so that they do not count as unknown fields.
        in.optional("lower");
        in.optional("upper");
        return column.flatMap(known -> {
            Optional<Long> lower = bound(in, "lower", known);
            Optional<Long> upper = bound(in, "upper", known);
            if (!in.isIntact()) {
                return Optional.empty();
            }
            long least = lower.orElse(known.lower());
            long greatest = upper.orElse(known.upper());
            if (least > greatest) {
                in.refuse("upper", "upper must be at least lower");
                return Optional.empty();
            }
            return Optional.of(new ClampBounds(least, greatest));
        });
    }

    private static Optional<Long> bound(ObjectReader in, String name, Column.Numeric column) {
        Notation notation = column.notation();
        return notation.read(in.optional(name)).filter(steps -> {
            boolean within = steps >= column.lower() && steps <= column.upper();
            if (!within) {
                in.refuse(
                        name,
                        name + " must lie within the column's bounds "
                                + notation.shown(column.lower()) + " and " + notation.shown(column.upper()) + ", was "
                                + notation.shown(steps));
            }
            return within;
        });
    }
}
