package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * The public range of the numbers of a collection, in their own units. A device clamps its value to it.
 *
 * @param lower below {@code upper}
 */
@Schema(name = "CollectionRange")
public record Bounds(BigDecimal lower, BigDecimal upper) {
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000_000L);
    private static final FieldType<BigDecimal> END = FieldType.number(MOST.negate(), MOST);
    private static final Field<BigDecimal> LOWER = Field.required("lower", END, "", 0);
    private static final Field<BigDecimal> UPPER = Field.required("upper", END, "Above `lower`.", 120);

    static final Field<Bounds> RANGE = Field.optional(
            "range",
            FieldType.object(new Shape.ObjectOf("CollectionRange", LOWER, UPPER), Bounds::read),
            "Of numbers, which devices clamp to it.");

    private static Optional<Bounds> read(ObjectReader in) {
        Optional<BigDecimal> lower = in.read(LOWER);
        Optional<BigDecimal> upper = in.read(UPPER);
        lower.flatMap(low -> upper.filter(high -> low.compareTo(high) >= 0))
                .ifPresent(high -> in.refuse(UPPER, "upper must be above lower, was " + high.toPlainString()));
        return in.complete(() -> new Bounds(lower.orElseThrow(), upper.orElseThrow()));
    }

    /** The grid step that is nearest to a value of the range. */
    long part(BigDecimal value) {
        return value.subtract(lower)
                .multiply(BigDecimal.valueOf(Protocol.WIDTH))
                .divide(upper.subtract(lower), 0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    /** A position in [-1, 1] as a number in the units of the range. */
    double inUnits(double position) {
        return lower.doubleValue() + lengthInUnits(position + 1);
    }

    /** A distance on [-1, 1] in the units of the range. */
    double lengthInUnits(double distance) {
        return distance / 2 * upper.subtract(lower).doubleValue();
    }
}
