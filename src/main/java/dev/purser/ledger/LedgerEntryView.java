package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.journal.CanonicalBytes;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry as lists and receipts show it: every field that its hash covers. Under {@code zcdp} the epsilon and delta of
 * a charge and of what is spent are conversions; only their rho is in the hash. Of a limit all three are in the hash.
 */
@Schema(name = "LedgerEntry", description = "One entry of the ledger. It is never changed and never removed.")
public record LedgerEntryView(
        @Schema(description = "1, 2, 3 … without gaps.", example = "2")
        long sequence,

        @Schema(description = "When, in UTC.", example = "2026-01-31T12:00:00Z")
        Instant at,

        @Schema(allowableValues = {"charge", "limit"}) String type,

        @Schema(description = "The principal that asked, or that set the limit.", example = "admin")
        String analyst,

        @Schema(description = "The question charged; null on a limit entry.") @Nullable
        String queryId,

        @Schema(description = "The kind of question; null on a limit entry.", example = "mean") @Nullable
        String kind,

        @Schema(description = "Binds the entry to its request, 64 hexadecimal digits; null on a limit entry.") @Nullable
        String requestHash,

        StatedAmount charge,
        StatedAmount limitAfter,
        StatedAmount spentAfter,

        @Schema(description = "The asker's allotment after a charge, or the one a limit entry sets; null without one.")
        @Nullable
        AllotmentView allotmentAfter,

        @Schema(description = "The hash of the entry before; zeros on the first.")
        String previousHash,

        @Schema(description = "SHA-256 over the previous hash and this entry, 64 hexadecimal digits.")
        String hash) {

    /** One analyst's allotment after an entry. */
    @Schema(name = "AllotmentAfter", description = "One analyst's allotment after an entry.")
    public record AllotmentView(
            @Schema(description = "Whose it is.", example = "ana")
            String analyst,

            StatedAmount limit,
            StatedAmount spent) {
        static @Nullable AllotmentView of(@Nullable Allotment allotment, Accountant accountant) {
            return allotment == null
                    ? null
                    : new AllotmentView(
                            allotment.analyst(),
                            LedgerEntryView.limit(allotment.limit(), accountant),
                            accountant.stated(allotment.spent(), allotment.limit()));
        }

        Allotment allotment() {
            return new Allotment(analyst, exactLimit(limit), exactSum(spent));
        }
    }

    /** The entry with amounts as the account's accountant states them. */
    public static LedgerEntryView of(LedgerEntry entry, Accountant accountant) {
        return new LedgerEntryView(
                entry.sequence(),
                entry.at(),
                LedgerChain.nameOf(entry.type()),
                entry.analyst(),
                entry.queryId(),
                entry.kind(),
                entry.requestHash(),
                accountant.stated(entry.charge(), entry.limitAfter()),
                limit(entry.limitAfter(), accountant),
                accountant.stated(entry.spentAfter(), entry.limitAfter()),
                AllotmentView.of(entry.allotmentAfter(), accountant),
                entry.previousHash(),
                entry.hash());
    }

    /** States a limit as it was declared. */
    private static StatedAmount limit(PrivacyAmount limit, Accountant accountant) {
        boolean countsRho = accountant.stated(limit, limit).rho() != null;
        return new StatedAmount(limit.epsilon(), limit.delta(), countsRho ? limit.rho() : null);
    }

    /**
     * The entry that this view shows.
     *
     * @throws IllegalArgumentException if there is no such type of entry
     */
    public LedgerEntry entry() {
        return new LedgerEntry(
                sequence,
                at,
                LedgerChain.typeNamed(type),
                analyst,
                queryId,
                kind,
                requestHash,
                exactSum(charge),
                exactLimit(limitAfter),
                exactSum(spentAfter),
                allotmentAfter == null ? null : allotmentAfter.allotment(),
                previousHash,
                hash);
    }

    private static PrivacyAmount exactLimit(StatedAmount stated) {
        Rho rho = stated.rho();
        return new PrivacyAmount(stated.epsilon(), stated.delta(), rho == null ? Rho.ZERO : rho);
    }

    private static PrivacyAmount exactSum(StatedAmount stated) {
        Rho rho = stated.rho();
        return rho == null
                ? new PrivacyAmount(stated.epsilon(), stated.delta())
                : new PrivacyAmount(Epsilon.ZERO, Delta.ZERO, rho);
    }

    /** Writes every field in declaration order, with amounts as they are stated. */
    void writeTo(CanonicalBytes bytes) {
        bytes.number(sequence)
                .number(at.toEpochMilli())
                .text(type)
                .text(analyst)
                .text(queryId)
                .text(kind)
                .text(requestHash);
        write(bytes, charge);
        write(bytes, limitAfter);
        write(bytes, spentAfter);
        bytes.text(allotmentAfter == null ? null : allotmentAfter.analyst());
        write(bytes, allotmentAfter == null ? null : allotmentAfter.limit());
        write(bytes, allotmentAfter == null ? null : allotmentAfter.spent());
        bytes.text(previousHash).text(hash);
    }

    private static void write(CanonicalBytes bytes, @Nullable StatedAmount amount) {
        bytes.text(amount == null ? null : amount.epsilon().toString())
                .text(amount == null ? null : amount.delta().toString())
                .text(
                        amount == null || amount.rho() == null
                                ? null
                                : amount.rho().toString());
    }
}
