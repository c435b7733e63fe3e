package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The books of some blocks of an account at one moment, as one principal may spend them. Charges can be added to see
 * what would then remain. Nothing is written.
 */
public final class BlockBooks {
    /** The most runs that a refusal names. */
    private static final int MOST_NAMED = 100;

    private final PrivacyAmount limit;
    private final BlockSums spent;
    private final @Nullable PrivacyAmount allotted;
    private final BlockSums spentOfAllotment;

    /**
     * @param limit the limit of each block
     * @param allotted what the principal may spend of each block; null without an allotment
     */
    BlockBooks(PrivacyAmount limit, BlockSums spent, @Nullable PrivacyAmount allotted, BlockSums spentOfAllotment) {
        this.limit = limit;
        this.spent = spent;
        this.allotted = allotted;
        this.spentOfAllotment = spentOfAllotment;
    }

    /** A copy of these books. Charges that are added to the copy do not change these books. */
    BlockBooks copy() {
        return new BlockBooks(limit, spent.copy(), allotted, spentOfAllotment.copy());
    }

    /** The most that is spent of a block of the window. */
    public PrivacyAmount spent(BlockWindow window) {
        return spent.most(window);
    }

    /** As {@link #spent}, of the principal's allotment. */
    PrivacyAmount spentOfAllotment(BlockWindow window) {
        return spentOfAllotment.most(window);
    }

    /** The least amount that a block of the window has left for the principal. */
    public PrivacyAmount remaining(BlockWindow window) {
        PrivacyAmount ofAccount = limit.minusDownToZero(spent(window));
        return allotted == null ? ofAccount : ofAccount.least(allotted.minusDownToZero(spentOfAllotment.most(window)));
    }

    /** Adds a charge of the principal, which must fit, to every block of the window. */
    public void add(BlockWindow window, PrivacyAmount charge) {
        spent.add(window, charge);
        spentOfAllotment.add(window, charge);
    }

    /** The blocks of the window in runs of equal books, ascending. */
    public List<BlockRun> runs(BlockWindow window) {
        return runs(window, _ -> true);
    }

    private List<BlockRun> runs(BlockWindow window, IntPredicate isNamed) {
        List<BlockRun> runs = new ArrayList<>();
        for (int block = window.first(); block <= window.last(); block++) {
            if (isNamed.test(block)) {
                BlockWindow alone = BlockWindow.of(block);
                BlockRun next = new BlockRun(alone, spent(alone), remaining(alone));
                BlockRun before = runs.isEmpty() ? null : runs.getLast();
                if (before != null && before.isFollowedBy(next)) {
                    runs.removeLast();
                    next = new BlockRun(before.blocks().hull(alone), next.spent(), next.remaining());
                }
                runs.add(next);
            }
        }
        return runs;
    }

    /**
     * The runs that cannot pay, at most {@value #MOST_NAMED}. Runs with the least left come first.
     *
     * @param charge the charge of a block
     */
    public List<BlockRun> unableToPay(BlockWindow window, IntFunction<PrivacyAmount> charge) {
        return runs(window, block -> !charge.apply(block).fitsWithin(remaining(BlockWindow.of(block)))).stream()
                .sorted(Comparator.comparing((BlockRun run) -> run.remaining().epsilon())
                        .thenComparing(run -> run.remaining().rho())
                        .thenComparing(run -> run.remaining().delta()))
                .limit(MOST_NAMED)
                .toList();
    }
}
