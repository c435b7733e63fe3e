package dev.purser.journal;

/**
 * The last entry of a chain.
 *
 * @param hash the hash or code of that entry, 64 lower-case hexadecimal digits
 */
public record Head(long sequence, String hash) {
    public Head {
        if (sequence < 1 || !isHash(hash)) {
            throw new IllegalArgumentException("not the head of a chain: " + sequence + ":" + hash);
        }
    }

    /** Runs at every debit. A regular expression would take as long as the hash itself. */
    private static boolean isHash(String text) {
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'f')) {
                return false;
            }
        }
        return text.length() == 64;
    }

    /** Parses what {@link #text} wrote. */
    public static Head parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("not the head of a chain: " + text);
        }
        return new Head(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
    }

    public String text() {
        return sequence + ":" + hash;
    }

    /** @throws IllegalArgumentException if they are two entries with one number, so that one replaced the other */
    public Head later(Head other) {
        if (other.sequence == sequence && !other.hash.equals(hash)) {
            throw new IllegalArgumentException("two entries of one chain: " + text() + " and " + other.text());
        }
        return other.sequence > sequence ? other : this;
    }
}
