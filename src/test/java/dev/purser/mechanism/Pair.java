package dev.purser.mechanism;

import dev.purser.privacy.Neighborhood;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Two neighbouring datasets. */
record Pair(List<long[]> rows, List<long[]> neighbor) {
    /**
     * What one unit makes of a dataset: as many rows as a unit may have are added, or replaced by as many others.
     *
     * @param others the rows of all other units
     * @param before each row of a unit that is replaced
     * @param after each row of the unit that replaces it or is added
     */
    static Pair of(Neighborhood neighborhood, List<long[]> others, long[] before, long[] after) {
        int unitRows = neighborhood.unit().maxRows();
        List<long[]> rows = new ArrayList<>(others);
        List<long[]> neighbor = new ArrayList<>(others);
        neighbor.addAll(Collections.nCopies(unitRows, after));
        switch (neighborhood.relation()) {
            case ADD_OR_REMOVE_ONE -> {}
            case REPLACE_ONE -> rows.addAll(Collections.nCopies(unitRows, before));
        }
        return new Pair(rows, neighbor);
    }
}
