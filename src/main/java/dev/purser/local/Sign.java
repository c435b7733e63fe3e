package dev.purser.local;

/** A report that is one sign. */
public enum Sign implements SignOrPoint {
    MINUS(-1),
    PLUS(1);

    private final int factor;

    Sign(int factor) {
        this.factor = factor;
    }

    /** -1 or 1. */
    public int factor() {
        return factor;
    }
}
