package dev.purser.query;

import dev.purser.dataset.Column;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Grid;
import java.util.Optional;

/**
 * The range that values are clamped to, in grid steps: the column's own bounds, narrowed by what was sent.
 *
 * @param lower at most {@code upper}
 */
record ClampBounds(long lower, long upper) {
    static Optional<ClampBounds> read(ObjectReader in, Optional<Column.Numeric> column) {
        // Asked for in any case, so that neither is taken for an unknown field.
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
        Grid grid = column.grid();
        return GridValues.read(in, name, in.optional(name), grid).filter(steps -> {
            boolean within = steps >= column.lower() && steps <= column.upper();
            if (!within) {
                in.refuse(
                        name,
                        name + " must lie within the column's bounds "
                                + grid.toDecimal(column.lower()).toPlainString() + " and "
                                + grid.toDecimal(column.upper()).toPlainString() + ", was "
                                + grid.toDecimal(steps).toPlainString());
            }
            return within;
        });
    }
}
