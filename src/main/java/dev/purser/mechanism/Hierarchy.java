package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.List;

/**
 * Nested partitions of a column's cells. Level 0 has the single cells, and every node of a level is divided into
 * equally many nodes of the level below. The last level has one node with all cells. To make the levels regular, cells
 * that hold no row follow the real cells. The shape therefore depends on the number of cells alone.
 *
 * @param cells the number of real cells
 * @param widths how many cells a node of each level has; each width divides the next
 */
public record Hierarchy(int cells, List<Integer> widths) {
    public Hierarchy {
        widths = List.copyOf(widths);
        if (cells < 1 || widths.getFirst() != 1 || widths.getLast() < cells) {
            throw new IllegalArgumentException("widths lead from one cell to all of them");
        }
        for (int level = 1; level < widths.size(); level++) {
            if (widths.get(level) <= widths.get(level - 1) || widths.get(level) % widths.get(level - 1) != 0) {
                throw new IllegalArgumentException("each width is a larger multiple of the one before");
            }
        }
    }

    /**
     * A tree whose nodes have {@code branching} children. The root may have one child more, so that few cells are
     * added.
     *
     * @param branching at least 2
     */
    static Hierarchy tree(int cells, int branching) {
        List<Integer> widths = new ArrayList<>(List.of(1));
        int width = 1;
        while (nodes(cells, width) > branching + 1) {
            width *= branching;
            widths.add(width);
        }
        if (cells > width) {
            widths.add(nodes(cells, width) * width);
        }
        return new Hierarchy(cells, widths);
    }

    /** Two levels: the single cells, and one node with all cells. */
    static Hierarchy flat(int cells) {
        return new Hierarchy(cells, cells == 1 ? List.of(1) : List.of(1, cells));
    }

    private static int nodes(int cells, int width) {
        return Math.ceilDiv(cells, width);
    }

    /** The level of the one node with all cells. */
    public int top() {
        return widths.size() - 1;
    }

    int width(int level) {
        return widths.get(level);
    }

    /** The number of nodes of a level. */
    int nodes(int level) {
        return widths.getLast() / widths.get(level);
    }

    /** The number of nodes of a level in a node of the next level. */
    int branching(int level) {
        return widths.get(level + 1) / widths.get(level);
    }
}
