/**
 * The durable, append-only, exact ledger: accounts, charges, reservations and answers. It has four parts. They share a
 * package, because books and proofs use each other's package-private types (ADR 9).
 *
 * <ul>
 *   <li><b>Books and rules.</b> {@link BudgetLedger} is the way in. {@link Reserving} charges, {@link LedgerRules}
 *       decides, and {@link Books} reads and writes, with the SQL of {@link SqlBooks}. A charge gives a
 *       {@link CommittedDebit}.
 *   <li><b>Proofs.</b> {@link LedgerChain} computes the hashes of entries. {@link ChainVerifier} computes them again.
 *       {@link LedgerGuard} does this at each start, and compares the heads with the {@link Anchor}. {@link Receipts}
 *       signs that a question was charged. {@link ReceiptProof} checks a receipt without the service.
 *   <li><b>Attachments.</b> {@link Attachments} keeps bytes that an answer names by their digest. {@link LongAnswer}
 *       says how a long answer is kept.
 *   <li><b>Views.</b> {@link LedgerEntryView}, {@link Budget} and {@link AccountBooks} are for reading.
 * </ul>
 */
@MayUse({"digest", "privacy", "accounting", "journal", "store", "problem"})
@NullMarked
package dev.purser.ledger;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
