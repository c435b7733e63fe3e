/**
 * Proofs of the books to others: the guard that compares them with the anchor, and receipts that anybody can check
 * without the service. It reads the books through {@link dev.purser.ledger.BooksForProof}.
 */
@MayUse({"ledger", "ledger.view", "accounting", "digest", "journal", "privacy", "store"})
@NullMarked
package dev.purser.ledger.proof;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
