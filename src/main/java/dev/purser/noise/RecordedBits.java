package dev.purser.noise;

/**
 * Remembers the bits that another source has drawn, for examples that others repeat and for random tickets. It is never
 * used to randomize a private value.
 */
public final class RecordedBits implements RandomBits {
    private final RandomBits source;
    private final StringBuilder drawn = new StringBuilder();

    /** Records what is drawn from {@code source}. */
    public RecordedBits(RandomBits source) {
        this.source = source;
    }

    @Override
    public long next(int count) {
        long bits = source.next(count);
        for (int bit = count - 1; bit >= 0; bit--) {
            drawn.append((bits >>> bit & 1) == 1 ? '1' : '0');
        }
        return bits;
    }

    /** All bits in the order they were drawn, as hexadecimal digits, filled up with zeros to whole bytes. */
    public String hex() {
        StringBuilder hex = new StringBuilder();
        for (int start = 0; start < drawn.length(); start += Byte.SIZE) {
            String bits = drawn.substring(start, Math.min(start + Byte.SIZE, drawn.length())) + "0000000";
            hex.append("%02x".formatted(Integer.parseInt(bits.substring(0, Byte.SIZE), 2)));
        }
        return hex.toString();
    }
}
