package dev.purser.ledger.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.accounting.Accountant;
import dev.purser.journal.CanonicalBytes;
import dev.purser.ledger.Allotment;
import dev.purser.ledger.BlockCharge;
import dev.purser.ledger.LedgerChain;
import dev.purser.ledger.LedgerEntry;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
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
 * a charge and of a sum are conversions: only the rho is in the hash. For a limit, epsilon, delta and rho are in the
 * hash.
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

        @Schema(description = "With blocks, the most that is spent of one of those that were charged.")
        StatedAmount spentAfter,

        @Schema(description = "The asker's allotment after a charge, or the one a limit entry sets; null without one.")
        @Nullable
        AllotmentView allotmentAfter,

        @Schema(
                description = "On a dataset with blocks, the blocks that the charge was debited from, in full from"
                        + " each; null on a limit entry, and without blocks.")
        @Nullable
        ChargedBlocksView blocks,

        @Schema(description = "On the first entry of a dataset with blocks: its blocks.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        OpenedBlocksView openedBlocks,

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
        public static @Nullable AllotmentView of(@Nullable Allotment allotment, Accountant accountant) {
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

    /** The blocks that a charge was debited from. */
    @Schema(name = "ChargedBlocks", description = "The blocks that a charge was debited from.")
    public record ChargedBlocksView(
            @Schema(description = "The first of them.", example = "2026-03-01")
            String from,

            @Schema(description = "The last of them.", example = "2026-03-31")
            String to,

            @Schema(description = "The place of the first among all blocks, from 0.", example = "0")
            int first,

            @Schema(description = "The place of the last.", example = "30")
            int last,

            @Schema(description = "The most that is spent of any block of the dataset after this entry.")
            StatedAmount mostSpentAfter,

            @Schema(description = "The most that is spent of one of these blocks, of the asker's allotment.") @Nullable
            StatedAmount allottedAfter) {}

    /** The blocks of an account. */
    @Schema(name = "OpenedBlocks", description = "All blocks of a dataset.")
    public record OpenedBlocksView(
            @Schema(example = "day") String column,

            @Schema(description = "`day`, `week`, `month`, or a number of integers.", example = "day")
            String width,

            @Schema(description = "The first block.", example = "2026-03-01")
            String first,

            @Schema(description = "How many there are.", example = "306")
            int count) {
        Blocks blocks() {
            return Blocks.from(column, Blocks.Width.of(width), first, count);
        }
    }

    /**
     * The entry with amounts as the account's accountant states them.
     *
     * @param blocks the blocks of the account; null if it has none
     */
    public static LedgerEntryView of(LedgerEntry entry, Accountant accountant, @Nullable Blocks blocks) {
        BlockCharge charged = entry.charged();
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
                accountant.stated(charged == null ? entry.spentAfter() : charged.spentAfter(), entry.limitAfter()),
                AllotmentView.of(entry.allotmentAfter(), accountant),
                charged == null || blocks == null ? null : charged(entry, charged, accountant, blocks),
                entry.opened() == null ? null : opened(entry.opened()),
                entry.previousHash(),
                entry.hash());
    }

    private static ChargedBlocksView charged(
            LedgerEntry entry, BlockCharge charged, Accountant accountant, Blocks blocks) {
        return new ChargedBlocksView(
                blocks.label(charged.blocks().first()),
                blocks.label(charged.blocks().last()),
                charged.blocks().first(),
                charged.blocks().last(),
                accountant.stated(entry.spentAfter(), entry.limitAfter()),
                charged.allottedAfter() == null
                        ? null
                        : accountant.stated(charged.allottedAfter(), entry.limitAfter()));
    }

    private static OpenedBlocksView opened(Blocks blocks) {
        return new OpenedBlocksView(blocks.column(), blocks.width().text(), blocks.label(0), blocks.count());
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
                exactSum(blocks == null ? spentAfter : blocks.mostSpentAfter()),
                allotmentAfter == null ? null : allotmentAfter.allotment(),
                openedBlocks == null ? null : openedBlocks.blocks(),
                blocks == null ? null : charged(blocks),
                previousHash,
                hash);
    }

    private BlockCharge charged(ChargedBlocksView of) {
        StatedAmount allotted = of.allottedAfter();
        return new BlockCharge(
                new BlockWindow(of.first(), of.last()),
                exactSum(spentAfter),
                allotted == null ? null : exactSum(allotted));
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

    /**
     * Writes every field in declaration order, with amounts as they are stated. An entry without blocks has none of
     * their fields. No receipt is about the entry that opens an account.
     */
    public void writeTo(CanonicalBytes bytes) {
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
        if (blocks != null) {
            bytes.text(blocks.from()).text(blocks.to()).number(blocks.first()).number(blocks.last());
            write(bytes, blocks.mostSpentAfter());
            write(bytes, blocks.allottedAfter());
        }
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
