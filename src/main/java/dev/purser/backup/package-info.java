/** Copies a home while its service runs, and restores such a copy. */
@MayUse({"access", "dataset", "digest", "journal", "ledger", "ledger.proof", "store"})
@NullMarked
package dev.purser.backup;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
