package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import org.jspecify.annotations.Nullable;

/**
 * What is spent of each block. Adding a charge to a window and reading the most that is spent of a window take time in
 * the logarithm of the number of blocks. Memory grows with what was charged, up to the number of blocks.
 *
 * <p>The sums are a segment tree. The amount of a node counts for all blocks below the node, so amounts are never moved
 * to lower nodes.
 */
final class BlockSums {
    private final Node root;
    private final int size;

    /** @param blocks how many blocks there are; nothing is spent of them yet */
    BlockSums(int blocks) {
        this(new Node(), Integer.highestOneBit(Math.max(1, 2 * blocks - 1)));
    }

    private BlockSums(Node root, int size) {
        this.root = root;
        this.size = size;
    }

    /** A copy of these sums, to which charges can be added separately. */
    BlockSums copy() {
        return new BlockSums(root.copy(), size);
    }

    /**
     * Adds a charge to every block of a window.
     *
     * @throws IllegalArgumentException if a sum would exceed its type's ceiling
     */
    void add(BlockWindow window, PrivacyAmount charge) {
        root.add(0, size - 1, window, charge);
    }

    /** As {@link #add}, for display. A sum that would exceed its type's ceiling stays at the ceiling. */
    void addUpToCeiling(BlockWindow window, PrivacyAmount charge) {
        PrivacyAmount room = most(window).plusUpToCeiling(charge).minusDownToZero(most(window));
        root.add(0, size - 1, window, room);
    }

    /** The most that is spent of a block of the window, for each component. */
    PrivacyAmount most(BlockWindow window) {
        return root.most(0, size - 1, window);
    }

    /** The most that is spent of any block, for each component. */
    PrivacyAmount most() {
        return root.most;
    }

    /** What is spent of one block. */
    PrivacyAmount of(int block) {
        return most(BlockWindow.of(block));
    }

    private static final class Node {
        private PrivacyAmount added = PrivacyAmount.ZERO;

        /** The largest sum of a block below this node, with {@link #added}. */
        private PrivacyAmount most = PrivacyAmount.ZERO;

        private @Nullable Node left;
        private @Nullable Node right;

        Node copy() {
            Node copy = new Node();
            copy.added = added;
            copy.most = most;
            copy.left = left == null ? null : left.copy();
            copy.right = right == null ? null : right.copy();
            return copy;
        }

        void add(int first, int last, BlockWindow window, PrivacyAmount charge) {
            if (window.last() < first || last < window.first()) {
                return;
            }
            if (window.first() <= first && last <= window.last()) {
                added = added.plus(charge);
                most = most.plus(charge);
                return;
            }
            int middle = (first + last) >>> 1;
            left = left == null ? new Node() : left;
            right = right == null ? new Node() : right;
            left.add(first, middle, window, charge);
            right.add(middle + 1, last, window, charge);
            most = added.plus(left.most.most(right.most));
        }

        PrivacyAmount most(int first, int last, BlockWindow window) {
            if (window.last() < first || last < window.first()) {
                return PrivacyAmount.ZERO;
            }
            if (window.first() <= first && last <= window.last() || left == null || right == null) {
                return most;
            }
            int middle = (first + last) >>> 1;
            return added.plus(left.most(first, middle, window).most(right.most(middle + 1, last, window)));
        }
    }
}
