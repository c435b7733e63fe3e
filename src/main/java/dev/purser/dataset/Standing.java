package dev.purser.dataset;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What changes of the row of a dataset or of a block, as it is stored.
 *
 * @param state the label of a {@link DatasetState}
 * @param loadedBy the instance that began the last upload; null before the first
 * @param rowsDigest the digest of its file of rows; null without one, or if that is of the version that has none
 */
record Standing(String state, @Nullable String loadedBy, byte @Nullable [] rowsDigest) {
    /** @param row {@link DatasetTable#COLUMNS} */
    static Standing of(ResultSet row) throws SQLException {
        return new Standing(row.getString(6), row.getString(7), row.getBytes(8));
    }

    boolean is(DatasetState other) {
        return state.equals(other.label());
    }

    /** Whether an upload may begin. */
    boolean canBeLoaded() {
        return is(DatasetState.REGISTERED) || is(DatasetState.FAILED);
    }

    Standing in(DatasetState other) {
        return new Standing(other.label(), loadedBy, rowsDigest);
    }
}
