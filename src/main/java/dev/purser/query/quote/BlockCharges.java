package dev.purser.query.quote;

import dev.purser.ledger.BlockBooks;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The sum of what questions charge to each block. */
final class BlockCharges {
    /** The charge of each block of a run, by the first block of the run. The run ends before the next key. */
    private final NavigableMap<Integer, PrivacyAmount> sums = new TreeMap<>();

    void add(BlockWindow window, PrivacyAmount charge) {
        int end = window.last() + 1;
        cut(window.first());
        cut(end);
        sums.subMap(window.first(), end).replaceAll((_, sum) -> sum.plusUpToCeiling(charge));
    }

    private void cut(int block) {
        sums.putIfAbsent(block, of(block));
    }

    /** The charge of a block. */
    PrivacyAmount of(int block) {
        Map.Entry<Integer, PrivacyAmount> before = sums.floorEntry(block);
        return before == null ? PrivacyAmount.ZERO : before.getValue();
    }

    /** The least window that all the charges are in. */
    BlockWindow hull() {
        return new BlockWindow(sums.firstKey(), sums.lastKey() - 1);
    }

    /** The largest charge of a block, for each component. */
    PrivacyAmount most() {
        return sums.values().stream().reduce(PrivacyAmount.ZERO, PrivacyAmount::most);
    }

    /** How many times all charges together fit into what remains. */
    long timesWithin(BlockBooks books) {
        long times = Long.MAX_VALUE;
        for (int first : sums.headMap(sums.lastKey()).keySet()) {
            // Components are compared one by one, so the least value of each component over the blocks is enough.
            PrivacyAmount remaining = books.remaining(new BlockWindow(first, sums.higherKey(first) - 1));
            times = Math.min(times, of(first).timesWithin(remaining));
        }
        return times;
    }
}
