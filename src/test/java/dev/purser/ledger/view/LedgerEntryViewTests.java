package dev.purser.ledger.view;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.PureAccountant;
import dev.purser.journal.CanonicalBytes;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.OneAccountLedger;
import dev.purser.ledger.OpenLedger;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static dev.purser.Records.with;
import static org.assertj.core.api.Assertions.assertThat;

/** Entries of accounts with blocks, as they are shown. {@code ReceiptProofTests} has entries without blocks. */
class LedgerEntryViewTests extends OneAccountLedger {
    private static final Accountant ACCOUNTANT = new PureAccountant();
    private static final Blocks BLOCKS = Blocks.from("day", Blocks.Width.of("day"), "2026-03-01", 10);

    private List<LedgerEntry> entries;

    @BeforeEach
    void charge() {
        open.withAccount("visits", ACCOUNTANT, PrivacyAmount.pure(Epsilon.parse("1")), BLOCKS);
        ask("ben", new BlockWindow(2, 4), "0.2");
        open.ledger.setAllotment("visits", "ana", PrivacyAmount.pure(Epsilon.parse("0.5")), "carla");
        ask("ana", new BlockWindow(4, 5), "0.1");
        ask("ben", new BlockWindow(9, 9), "0.1");
        entries = open.ledger.entries("visits", 0, 10);
    }

    private void ask(String analyst, BlockWindow window, String epsilon) {
        open.ledger.reserve(OpenLedger.of(window, OpenLedger.question("visits", analyst, "k" + window, epsilon)));
    }

    private LedgerEntryView view(int sequence) {
        return LedgerEntryView.of(entries.get(sequence - 1), ACCOUNTANT, BLOCKS);
    }

    @Test
    void anEntryIsStatedWithoutLoss() {
        assertThat(entries)
                .hasSize(5)
                .allSatisfy(entry -> assertThat(
                                LedgerEntryView.of(entry, ACCOUNTANT, BLOCKS).entry())
                        .isEqualTo(entry));
    }

    @Test
    void theFirstEntryNamesTheBlocksAndAChargeNamesItsOwn() {
        assertThat(view(1).openedBlocks())
                .isEqualTo(new LedgerEntryView.OpenedBlocksView("day", "day", "2026-03-01", 10));
        assertThat(view(1).blocks()).isNull();
        assertThat(view(4).openedBlocks()).isNull();
        assertThat(view(4).spentAfter()).isEqualTo(amount("0.3"));
        assertThat(view(4).blocks())
                .isEqualTo(new LedgerEntryView.ChargedBlocksView(
                        "2026-03-05", "2026-03-06", 4, 5, amount("0.3"), amount("0.1")));
        assertThat(view(5).spentAfter()).isEqualTo(amount("0.1"));
        assertThat(view(5).blocks())
                .isEqualTo(
                        new LedgerEntryView.ChargedBlocksView("2026-03-10", "2026-03-10", 9, 9, amount("0.3"), null));
    }

    private static StatedAmount amount(String epsilon) {
        return ACCOUNTANT.stated(PrivacyAmount.pure(Epsilon.parse(epsilon)), PrivacyAmount.ZERO);
    }

    @Test
    void aReceiptSignsEveryFieldOfTheBlocks() {
        LedgerEntryView.ChargedBlocksView blocks = Objects.requireNonNull(view(4).blocks());
        assertThat(List.of(
                        signed(blocks),
                        signed(null),
                        signed(with(blocks, "from", "2026-03-04")),
                        signed(with(blocks, "to", "2026-03-07")),
                        signed(with(blocks, "first", 3)),
                        signed(with(blocks, "last", 6)),
                        signed(with(blocks, "mostSpentAfter", amount("0.4"))),
                        signed(with(blocks, "allottedAfter", null))))
                .doesNotHaveDuplicates();
    }

    private String signed(LedgerEntryView.@Nullable ChargedBlocksView blocks) {
        CanonicalBytes bytes = new CanonicalBytes();
        with(view(4), "blocks", blocks).writeTo(bytes);
        return bytes.sha256();
    }
}
