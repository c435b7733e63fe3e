package dev.purser.dataset;

import org.jspecify.annotations.Nullable;

/**
 * The part of a stored row of a dataset or of a block that changes.
 *
 * @param state the label of a {@link DatasetState}
 * @param loadedBy the instance that began the last upload; null before the first
 * @param rowsDigest the digest of its file of rows; null without a file, or if the file has the version without a
 *     digest
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
