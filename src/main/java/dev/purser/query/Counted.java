package dev.purser.query;

import dev.purser.dataset.Dataset;
import dev.purser.engine.Filter;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.mechanism.Statistic;
import dev.purser.privacy.PrivacyUnit;
import java.util.List;
import java.util.Optional;

/** The things that a count can count. */
public enum Counted {
    /** Rows. */
    ROWS,
    /** Privacy units with at least one row that passes. Where every row is a unit, the units are the rows. */
    UNITS;

    static final Field<Counted> FIELD = Field.choice(
            "of",
            ROWS,
            "What is counted: rows, or privacy units with at least one row that passes. One unit changes the number of"
                    + " units by 1, however many rows it has, so their count needs less noise. Where a column names the"
                    + " unit, units are counted in one block at a time, or in each where the block column is a key.");

    /**
     * Reads the field. Units are counted as rows where every row is a unit.
     *
     * @param dataset the part of the dataset that is asked about
     */
    static Optional<Counted> read(ObjectReader in, Dataset dataset) {
        return read(in, dataset, false);
    }

    /** @param byBlock whether each number is of one block */
    static Optional<Counted> read(ObjectReader in, Dataset dataset, boolean byBlock) {
        Optional<Counted> read = in.read(FIELD);
        boolean hasRowsOnly = dataset.privacyUnit() instanceof PrivacyUnit.Row;
        // A unit with rows in several blocks would be counted in each block, but its protection holds for each block
        // alone.
        if (read.equals(Optional.of(UNITS))
                && !hasRowsOnly
                && !byBlock
                && dataset.blocks().filter(blocks -> blocks.count() > 1).isPresent()) {
            in.refuse(
                    FIELD,
                    "of may be \"units\" in a question about one block, or in a table with the block column as"
                            + " a key; a unit with rows in several blocks would be counted in each of them");
            return Optional.empty();
        }
        return hasRowsOnly ? Optional.of(ROWS) : read;
    }

    /** The count of the rows or units that pass a filter. */
    Statistic.Counting statistic(BucketPlan plan, Filter filter) {
        return switch (this) {
            case ROWS -> Statistic.Count.ofAll(plan.table(null, filter), filter.isSelective());
            case UNITS -> new Statistic.UnitCount(plan.unitTable(filter, List.of()), filter.isSelective());
        };
    }
}
