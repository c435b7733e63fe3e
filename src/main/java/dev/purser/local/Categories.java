package dev.purser.local;

/**
 * The public categories of a protocol, identified by their index from 0.
 *
 * @param count k, at least 2
 */
record Categories(int count) {
    /** k categories of a protocol that admits {@code most}. */
    static Categories upTo(int most, int count) {
        if (count < 2 || count > most) {
            throw new IllegalArgumentException("2 to " + most + " categories, not " + count);
        }
        return new Categories(count);
    }

    boolean contains(int category) {
        return category >= 0 && category < count;
    }

    /** The category, if it is one of these. The message does not name the category, which is private. */
    int checked(int category) {
        if (!contains(category)) {
            throw new IllegalArgumentException("a category must be one of the public ones");
        }
        return category;
    }
}
