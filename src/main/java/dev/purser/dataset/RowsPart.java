package dev.purser.dataset;

import java.util.OptionalInt;

/**
 * The rows that one upload loads into one file.
 *
 * @param dataset the id
 * @param block the block that has the rows; empty for all rows of a dataset without blocks
 */
public record RowsPart(String dataset, OptionalInt block) {
    /** All rows of a dataset without blocks. */
    public static RowsPart all(String dataset) {
        return new RowsPart(dataset, OptionalInt.empty());
    }

    /** The rows of one block. */
    public static RowsPart of(String dataset, int block) {
        return new RowsPart(dataset, OptionalInt.of(block));
    }

    /** For logs and messages. */
    @Override
    public String toString() {
        return block.isEmpty() ? "dataset " + dataset : "block " + block.getAsInt() + " of dataset " + dataset;
    }
}
