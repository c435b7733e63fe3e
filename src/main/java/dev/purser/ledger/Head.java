package dev.purser.ledger;

/**
 * Where an account's chain stands: its last entry.
 *
 * @param hash of that entry, 64 lower-case hexadecimal digits
 */
record Head(long sequence, String hash) {
    Head {
        if (sequence < 1 || !isHash(hash)) {
            throw new IllegalArgumentException("not the head of a chain: " + sequence + ":" + hash);
        }
    }

    private static boolean isHash(String text) {
        return text.length() == 64
                && text.chars().allMatch(digit -> '0' <= digit && digit <= '9' || 'a' <= digit && digit <= 'f');
    }

    /** What {@link #text} wrote. */
    static Head parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("not the head of a chain: " + text);
        }
        return new Head(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
    }

    String text() {
        return sequence + ":" + hash;
    }

    Head later(Head other) {
        return other.sequence > sequence ? other : this;
    }
}
