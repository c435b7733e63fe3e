package dev.purser.ledger;

import dev.purser.journal.CanonicalBytes;
import dev.purser.privacy.Blocks;
import java.util.HexFormat;

/**
 * The hash chain of an account's entries: {@code hash = SHA-256(canonical bytes)}, in lower-case hexadecimal.
 *
 * <p>The canonical bytes are the following fields, in this order, encoded by {@link CanonicalBytes}.
 *
 * <ol>
 *   <li>the previous entry's hash, 64 hexadecimal digits; 64 zeros for the first entry
 *   <li>the text {@code purser-entry-1}
 *   <li>the account
 *   <li>the sequence number
 *   <li>the time, milliseconds since 1970 in UTC
 *   <li>the type, {@code charge} or {@code limit}
 *   <li>the principal that asked, or that set the limit
 *   <li>the query id; absent on a limit entry
 *   <li>the kind; absent on a limit entry
 *   <li>the request hash, see {@link #requestHash}; absent on a limit entry
 *   <li>the charge: nano-epsilon, atto-delta, pico-rho
 *   <li>the limit after this entry: nano-epsilon, atto-delta, pico-rho
 *   <li>what is spent after this entry: nano-epsilon, atto-delta, pico-rho
 *   <li>the analyst whose allotment this entry sets or charges, the allotment's limit, and what is spent of the
 *       allotment after this entry; all seven fields absent without an allotment
 * </ol>
 *
 * <p>An entry with blocks has the text {@code purser-entry-2} instead, and these fields after the fields above.
 *
 * <ol>
 *   <li>on the account's first entry, its blocks: width, first label, number and column, with a space between them;
 *       absent on later entries
 *   <li>the places of the first and the last block that were charged, from 0; both -1 on the first entry
 *   <li>the most that is spent of a block that was charged: nano-epsilon, atto-delta, pico-rho; absent on the first
 *       entry
 *   <li>the most that is spent of the asker's allotment in a block that was charged, in the same units; absent without
 *       an allotment
 * </ol>
 */
public final class LedgerChain {
    /** The previous hash of the first entry. */
    public static final String GENESIS = "0".repeat(64);

    private static final String FORMAT = "purser-entry-1";
    private static final String FORMAT_OF_BLOCKS = "purser-entry-2";

    private static final int NONE = -1;

    private LedgerChain() {}

    /** The same entry with its hash. */
    static LedgerEntry sealed(String account, LedgerEntry entry) {
        return entry.withHash(hash(account, entry));
    }

    /** The hash that belongs to this entry. The hash that the entry carries is ignored. */
    public static String hash(String account, LedgerEntry entry) {
        Allotment allotment = entry.allotmentAfter();
        Blocks opened = entry.opened();
        BlockCharge charged = entry.charged();
        CanonicalBytes bytes = new CanonicalBytes()
                .text(entry.previousHash())
                .text(opened == null && charged == null ? FORMAT : FORMAT_OF_BLOCKS)
                .text(account)
                .number(entry.sequence())
                .number(entry.at().toEpochMilli())
                .text(nameOf(entry.type()))
                .text(entry.analyst())
                .text(entry.queryId())
                .text(entry.kind())
                .text(entry.requestHash())
                .amount(entry.charge())
                .amount(entry.limitAfter())
                .amount(entry.spentAfter())
                .text(allotment == null ? null : allotment.analyst())
                .amount(allotment == null ? null : allotment.limit())
                .amount(allotment == null ? null : allotment.spent());
        if (opened != null || charged != null) {
            bytes.text(opened == null ? null : opened.text())
                    .number(charged == null ? NONE : charged.blocks().first())
                    .number(charged == null ? NONE : charged.blocks().last())
                    .amount(charged == null ? null : charged.spentAfter())
                    .amount(charged == null ? null : charged.allottedAfter());
        }
        return bytes.sha256();
    }

    /**
     * Binds an entry to the request it was charged for: SHA-256 over {@link CanonicalBytes} of the dataset, the
     * operation, the idempotency key and the request body's SHA-256 in hexadecimal.
     */
    public static String requestHash(String datasetId, RequestIdentity identity, byte[] requestDigest) {
        return new CanonicalBytes()
                .text(datasetId)
                .text(identity.operation())
                .text(identity.idempotencyKey())
                .text(HexFormat.of().formatHex(requestDigest))
                .sha256();
    }

    /** The name of a type, in hashes and documents. */
    public static String nameOf(LedgerEntry.Type type) {
        return switch (type) {
            case CHARGE -> "charge";
            case LIMIT -> "limit";
        };
    }

    /**
     * The type with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static LedgerEntry.Type typeNamed(String name) {
        return switch (name) {
            case "charge" -> LedgerEntry.Type.CHARGE;
            case "limit" -> LedgerEntry.Type.LIMIT;
            default -> throw new IllegalArgumentException("there is no type of entry " + name);
        };
    }
}
