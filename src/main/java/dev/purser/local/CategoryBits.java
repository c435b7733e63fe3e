package dev.purser.local;

import java.util.BitSet;

/**
 * A report of {@link OptimizedUnaryEncoding}: one bit for each category.
 *
 * @param ones the categories whose bit is one
 */
public record CategoryBits(BitSet ones) {
    public CategoryBits {
        ones = (BitSet) ones.clone();
    }

    @Override
    public BitSet ones() {
        return (BitSet) ones.clone();
    }
}
