package dev.purser.engine;

import dev.purser.dataset.Dataset;
import java.util.Optional;

/** Finds the digests of the files that the blocks of datasets were loaded with. */
@FunctionalInterface
public interface BlockDigests {
    /** The digest of a block's {@link dev.purser.rows.RowsFile}; empty if the block is not loaded. */
    Optional<String> of(Dataset dataset, int block);
}
