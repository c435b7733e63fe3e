package dev.purser.ledger;

import java.util.function.LongSupplier;

/**
 * Creates query ids. They are ULIDs: 26 characters of Crockford's base 32, from 48 bits of time in milliseconds and 80
 * random bits. The time makes ids sortable. The random bits alone make them unique and unguessable.
 */
final class QueryIds {
    private static final char[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
    private static final int BITS_PER_CHARACTER = 5;

    private QueryIds() {}

    static String next(long millis, LongSupplier random) {
        char[] id = new char[26];
        write(id, 0, 10, millis);
        write(id, 10, 18, random.getAsLong());
        write(id, 18, 26, random.getAsLong());
        return new String(id);
    }

    /** Writes the lowest bits of {@code bits} into {@code id[from..to)}. */
    private static void write(char[] id, int from, int to, long bits) {
        long rest = bits;
        for (int i = to - 1; i >= from; i--) {
            id[i] = ALPHABET[(int) (rest & 31)];
            rest >>>= BITS_PER_CHARACTER;
        }
    }
}
