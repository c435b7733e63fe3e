package dev.purser.query;

import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.privacy.Grid;
import java.util.Optional;
import java.util.function.Consumer;

/** Numbers of a request that have to lie on a grid. */
final class GridValues {
    private GridValues() {}

    /** The grid integer of a value that was sent; a value between two grid points is refused. */
    static Optional<Long> read(ObjectReader in, String name, ValueReader value, Grid grid) {
        return read(value, grid, rule -> in.refuse(name, name + rule));
    }

    /** As {@link #read(ObjectReader, String, ValueReader, Grid)}, for an element of an array. */
    static Optional<Long> read(ValueReader element, Grid grid) {
        return read(element, grid, rule -> element.refuse("an element" + rule));
    }

    private static Optional<Long> read(ValueReader value, Grid grid, Consumer<String> refusal) {
        return value.decimal().flatMap(sent -> {
            Optional<Long> steps = grid.toGrid(sent);
            if (steps.isEmpty()) {
                refusal.accept(" must be a multiple of the resolution "
                        + grid.resolution().toPlainString() + " and at most 2^40 times it, was "
                        + sent.toPlainString());
            }
            return steps;
        });
    }
}
