package dev.purser.rows;

import java.io.IOException;
import java.util.Arrays;

/**
 * The integers that a column can have, from public facts alone.
 *
 * @param lower the least
 * @param upper the greatest, at least {@code lower}; both within 2^40 of zero
 */
public record StoredRange(long lower, long upper) {
    /** How many different integers there are. */
    public long size() {
        return upper - lower + 1;
    }

    /**
     * The distance of {@code bound} from {@link #lower}, cut to {@code [0, size()]}. An integer of the range compares
     * with the bound as their distances compare.
     */
    public long offset(long bound) {
        return Math.clamp(bound, lower, upper + 1) - lower;
    }

    /**
     * The elements of the ascending {@code edges} that separate integers of this range. They are consecutive elements.
     */
    public long[] parting(long[] edges) {
        return Arrays.stream(edges)
                .filter(edge -> edge > lower && edge <= upper)
                .toArray();
    }

    /** How many of {@code edges} are at or below every integer of this range. */
    public int passed(long[] edges) {
        return (int) Arrays.stream(edges).filter(edge -> edge <= lower).count();
    }

    /**
     * Replaces the first {@code count} integers by their distances from {@link #lower}.
     *
     * @throws IOException if an integer is outside the column's bounds
     */
    void toOffsets(long[] integers, int count) throws IOException {
        long greatest = size() - 1;
        // This is negative if an offset is negative or above the greatest offset.
        long signs = 0;
        for (int i = 0; i < count; i++) {
            long offset = integers[i] - lower;
            integers[i] = offset;
            signs |= offset | (greatest - offset);
        }
        if (signs < 0) {
            throw new IOException("a value outside its column's bounds");
        }
    }

    /**
     * The distance of one integer from {@link #lower}.
     *
     * @throws IOException if it is outside the column's bounds
     */
    long toOffset(long integer) throws IOException {
        if (integer < lower || integer > upper) {
            throw new IOException("a value outside its column's bounds");
        }
        return integer - lower;
    }

    /** The bytes that an integer's distance from {@link #lower} takes: 1, 2, 4 or 8. */
    int offsetBytes() {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(size() - 1);
        return bits <= Byte.SIZE ? 1 : bits <= Short.SIZE ? 2 : bits <= Integer.SIZE ? 4 : 8;
    }
}
