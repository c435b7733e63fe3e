package dev.purser.query;

import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import java.util.Optional;

/** Numbers of a request that have to lie on a grid. */
final class GridValues {
    private GridValues() {}

    /** The grid integer of a value that was sent; a value between two grid points is refused. */
    static Optional<Long> read(ObjectReader in, String name, ValueReader value, Grid grid) {
        return value.decimal().flatMap(sent -> {
            Optional<Long> steps = grid.toGrid(sent);
            if (steps.isEmpty()) {
                in.refuse(
                        name,
                        name + " must be a multiple of the resolution "
                                + grid.resolution().toPlainString() + " and at most 2^40 times it, was "
                                + sent.toPlainString());
            }
            return steps;
        });
    }
}
