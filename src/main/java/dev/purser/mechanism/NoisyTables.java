package dev.purser.mechanism;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The noisy numbers of a synopsis as bytes: all tables one after the other. The sign of each number is moved to the
 * lowest bit. The number is then written as a varint: seven bits a byte, the lowest bits first.
 */
public final class NoisyTables {
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;

    private NoisyTables() {}

    /** The numbers of all tables. */
    public static byte[] written(List<long[]> tables) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        tables.stream().flatMapToLong(LongStream::of).forEach(number -> {
            long rest = number << 1 ^ number >> Long.SIZE - 1;
            while (rest < 0 || rest >= MORE) {
                out.write((int) rest & MORE - 1 | MORE);
                rest >>>= BITS;
            }
            out.write((int) rest);
        });
        return out.toByteArray();
    }

    /**
     * Reads one table after the other, each when it is needed.
     *
     * @param nodes how many numbers each table has
     */
    public static Stream<long[]> read(byte[] written, List<Long> nodes) {
        Numbers numbers = new Numbers(written);
        return nodes.stream()
                .map(size -> LongStream.generate(numbers::next).limit(size).toArray());
    }

    private static final class Numbers {
        private final byte[] written;
        private int at;

        private Numbers(byte[] written) {
            this.written = written;
        }

        private long next() {
            long bits = 0;
            int shift = 0;
            byte next;
            do {
                next = written[at++];
                bits |= (long) (next & MORE - 1) << shift;
                shift += BITS;
            } while (next < 0);
            return bits >>> 1 ^ -(bits & 1);
        }
    }
}
