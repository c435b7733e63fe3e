package dev.purser.dataset.web;

import dev.purser.accounting.PureAccountant;
import dev.purser.dataset.BlockDatasets;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.ReadyBlocks;
import dev.purser.ledger.BlockRun;
import dev.purser.ledger.Budget;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The amounts of blocks as they are shown. */
class BlockAmountsTests {
    private static final BlockWindow OLD = new BlockWindow(0, 1);
    private static final BlockWindow NEW = new BlockWindow(5, 6);

    private static PrivacyAmount amount(String epsilon, String delta) {
        return new PrivacyAmount(Epsilon.parse(epsilon), Delta.parse(delta));
    }

    private static PrivacyAmount epsilon(String epsilon) {
        return amount(epsilon, "0");
    }

    /** An amount for each of the two windows. */
    private static Function<BlockWindow, PrivacyAmount> amounts(PrivacyAmount ofOld, PrivacyAmount ofNew) {
        return window -> window.equals(OLD) ? ofOld : ofNew;
    }

    private static BlockAmounts over(
            String limit,
            Function<BlockWindow, PrivacyAmount> spent,
            @Nullable Function<BlockWindow, PrivacyAmount> own) {
        return BlockAmounts.over(amount(limit, "0.000006"), List.of(OLD, NEW), spent, own);
    }

    @Test
    void theMostSpentAndTheLeastRemainingAreComponentwise() {
        assertThat(over("1", amounts(amount("0.6", "0.000001"), amount("0.1", "0.000005")), null))
                .isEqualTo(new BlockAmounts(amount("0.6", "0.000005"), amount("0.4", "0.000001"), false));
    }

    @Test
    void anAllotmentCountsWhereItLeavesLess() {
        Function<BlockWindow, PrivacyAmount> spent = amounts(epsilon("0.6"), epsilon("0.1"));
        PrivacyAmount left = amount("0.4", "0.000006");
        assertThat(over("1", spent, amounts(left, amount("0.5", "0.000006"))))
                .isEqualTo(new BlockAmounts(epsilon("0.6"), left, false));
        assertThat(over("1", spent, amounts(left, amount("0.2", "0.000006"))))
                .isEqualTo(new BlockAmounts(epsilon("0.6"), amount("0.2", "0.000006"), true));
    }

    private static List<String> shown(Dataset dataset, boolean ownPartOnly, BlockRun... runs) {
        Budget budget = new Budget(new PureAccountant(), epsilon("1"), epsilon("0.9"), List.of());
        return BlockRunsView.of(dataset, budget, List.of(runs), ownPartOnly).items().stream()
                .map(run -> run.from() + " " + run.to() + " " + run.state() + " "
                        + run.spent().epsilon() + " " + run.remaining().epsilon())
                .toList();
    }

    @Test
    void runsAreCutWhereBlocksAreReady() {
        Dataset byHundreds = BlockDatasets.byHundreds(new ReadyBlocks(List.of(OLD, new BlockWindow(3, 3))));
        assertThat(shown(
                        byHundreds,
                        false,
                        new BlockRun(new BlockWindow(1, 5), epsilon("0.4"), epsilon("0.6")),
                        new BlockRun(new BlockWindow(6, 9), epsilon("0"), epsilon("1"))))
                .containsExactly(
                        "100 100 ready 0.4 0.6",
                        "200 200 not-ready 0.4 0.6",
                        "300 300 ready 0.4 0.6",
                        "400 500 not-ready 0.4 0.6",
                        "600 900 not-ready 0 1");
    }

    @Test
    void anAnalystSeesWhatItsAllotmentLeaves() {
        Dataset byHundreds = BlockDatasets.byHundreds(new ReadyBlocks(List.of(new BlockWindow(0, 9))));
        BlockRun run = new BlockRun(new BlockWindow(0, 9), epsilon("0.4"), epsilon("0.1"));
        assertThat(shown(byHundreds, true, run)).containsExactly("0 900 ready 0.4 0.1");
        assertThat(shown(byHundreds, false, run)).containsExactly("0 900 ready 0.4 0.6");
    }
}
