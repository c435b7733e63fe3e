package dev.purser.query;

import dev.purser.json.ObjectReader;
import dev.purser.privacy.Grid;
import java.math.BigInteger;
import java.util.Optional;

/** Reads the {@code threshold} of a request. */
public final class Thresholds {
    private Thresholds() {}

    /** The threshold in steps of a grid. It may lie beyond any column's bounds, because sums do. */
    public static Optional<BigInteger> read(ObjectReader in, Grid grid) {
        return in.required("threshold").decimal().flatMap(sent -> {
            Optional<BigInteger> steps = grid.toSteps(sent);
            if (steps.isEmpty()) {
                in.refuse(
                        "threshold",
                        "threshold must be a multiple of "
                                + grid.resolution().toPlainString()
                                + ", the finest grid of what it is compared with, was " + sent.toPlainString());
            }
            return steps;
        });
    }
}
