package dev.purser.privacy;

/**
 * Neighbouring blocks, by their places in {@link Blocks}.
 *
 * @param first from 0
 * @param last included, at least {@code first}
 */
public record BlockWindow(int first, int last) {
    public BlockWindow {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("the blocks of a window are in order, from 0");
        }
    }

    /** One block alone. */
    public static BlockWindow of(int block) {
        return new BlockWindow(block, block);
    }

    /** How many blocks there are. */
    public int size() {
        return last - first + 1;
    }

    /** The least window that contains both. */
    public BlockWindow hull(BlockWindow other) {
        return new BlockWindow(Math.min(first, other.first), Math.max(last, other.last));
    }
}
