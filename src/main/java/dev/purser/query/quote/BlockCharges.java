package dev.purser.query.quote;

import dev.purser.ledger.BlockBooks;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What questions about some blocks charge to each of them. */
final class BlockCharges {
    /** By a block: what is charged to it, and to those after it up to the next key. */
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

    /** What is charged to a block. */
    PrivacyAmount of(int block) {
        Map.Entry<Integer, PrivacyAmount> before = sums.floorEntry(block);
        return before == null ? PrivacyAmount.ZERO : before.getValue();
    }

    /** The least window that all the charges are in. */
    BlockWindow hull() {
        return new BlockWindow(sums.firstKey(), sums.lastKey() - 1);
    }

    /** The most that is charged to a block, for each component. */
    PrivacyAmount most() {
        return sums.values().stream().reduce(PrivacyAmount.ZERO, PrivacyAmount::most);
    }

    /** How many times all of it fits into what remains. */
    long timesWithin(BlockBooks books) {
        long times = Long.MAX_VALUE;
        for (int first : sums.headMap(sums.lastKey()).keySet()) {
            // Components are compared one by one, so the least of each over the blocks is enough.
            PrivacyAmount remaining = books.remaining(new BlockWindow(first, sums.higherKey(first) - 1));
            times = Math.min(times, of(first).timesWithin(remaining));
        }
        return times;
    }
}
