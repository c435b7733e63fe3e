package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
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
    static final Field RANGE = Field.optional(
            "range",
            new FieldType.ObjectOf(
                    "CollectionRange",
                    Field.required("lower", FieldType.NUMBER, "At least -10^15.")
                            .withExample(0),
                    Field.required("upper", FieldType.NUMBER, "Above `lower`, at most 10^15.")
                            .withExample(120)),
            "Of numbers, which devices clamp to it.");

    private static final BigDecimal MOST = BigDecimal.valueOf(1_000_000_000_000_000L);

    static Optional<Bounds> read(ObjectReader in) {
        return in.required(RANGE.name()).object(range -> {
            Optional<BigDecimal> lower = range.required("lower").decimal(MOST.negate(), MOST);
            Optional<BigDecimal> upper = range.required("upper").decimal(MOST.negate(), MOST);
            lower.flatMap(low -> upper.filter(high -> low.compareTo(high) >= 0))
                    .ifPresent(high -> range.refuse("upper", "upper must be above lower, was " + high.toPlainString()));
            return range.complete(() -> new Bounds(lower.orElseThrow(), upper.orElseThrow()));
        });
    }

    /** The nearest grid step of a value inside. */
    long part(BigDecimal value) {
        return value.subtract(lower)
                .multiply(BigDecimal.valueOf(Protocol.WIDTH))
                .divide(upper.subtract(lower), 0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    /** A number of [-1, 1] in the units of the range. */
    double inUnits(double position) {
        return lower.doubleValue() + lengthInUnits(position + 1);
    }

    /** A distance on [-1, 1] in the units of the range. */
    double lengthInUnits(double distance) {
        return distance / 2 * upper.subtract(lower).doubleValue();
    }
}
