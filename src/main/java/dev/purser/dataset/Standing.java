package dev.purser.dataset;

import org.jspecify.annotations.Nullable;

/**
 * What changes of the row of a dataset or of a block, as it is stored.
 *
 * @param state the label of a {@link DatasetState}
 * @param loadedBy the instance that began the last upload; null before the first
 * @param rowsDigest the digest of its file of rows; null without one, or if that is of the version that has none
 */
record Standing(String state, @Nullable String loadedBy, byte @Nullable [] rowsDigest) {
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
