package dev.purser.query;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.privacy.Grid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/** The {@code threshold} of a request. */
public final class Thresholds {
    /** The field. */
    public static final Field<BigDecimal> FIELD = Field.required(
            "threshold", FieldType.NUMBER, "A multiple of the finest grid of what it is compared with.", 100);

    private Thresholds() {}

    /**
     * The threshold in steps of a grid. It may lie beyond any column's bounds, because sums do.
     *
     * @param grid empty if it is not known, because another field broke a rule
     */
    public static Optional<BigInteger> read(ObjectReader in, Optional<Grid> grid) {
        return in.read(FIELD).flatMap(sent -> grid.flatMap(known -> steps(in, sent, known)));
    }

    private static Optional<BigInteger> steps(ObjectReader in, BigDecimal sent, Grid grid) {
        Optional<BigInteger> steps = grid.toSteps(sent);
        if (steps.isEmpty()) {
            in.refuse(
                    FIELD,
                    "threshold must be a multiple of "
                            + grid.resolution().toPlainString()
                            + ", the finest grid of what it is compared with, was " + sent.toPlainString());
        }
        return steps;
    }
}
