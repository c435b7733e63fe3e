/**
 * The durable, append-only, exact ledger. This package has its books and rules; its other parts are modules below it.
 *
 * <ul>
 *   <li><b>Books and rules</b>, here: accounts, charges, reservations and answers. {@link BudgetLedger} is the way in.
 *       {@link Reserving} charges, {@link LedgerRules} decides, and {@link Books} reads and writes, with the SQL of
 *       {@link SqlBooks}. A charge gives a {@link CommittedDebit}. {@link LedgerChain} computes the hashes of entries,
 *       and {@link ChainVerifier} computes them again, before each charge of blocks and to verify an account.
 *   <li><b>Attachments</b>, {@code ledger.attachment}: bytes that an answer names by their digest. The books use them.
 *   <li><b>Views</b>, {@code ledger.view}: an entry, or a member of an answer, as it is shown.
 *   <li><b>Proofs</b>, {@code ledger.proof}: the guard that compares the books with the anchor at each start, and
 *       receipts. It reads the books through {@link BooksForProof}, and closes lost accounts with {@link Forfeiture}.
 * </ul>
 */
@MayUse({"ledger.attachment", "digest", "privacy", "accounting", "journal", "store", "problem"})
@NullMarked
package dev.purser.ledger;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
