/**
 * Shows others that the books are complete and sound. The guard compares the books with the anchor at each start.
 * Anybody can check a receipt without the service. This module reads the books through
 * {@link dev.purser.ledger.BooksForProof}.
 */
@MayUse({"ledger", "ledger.view", "accounting", "digest", "journal", "privacy", "store"})
@NullMarked
package dev.purser.ledger.proof;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
