package dev.purser.accounting;

import dev.purser.privacy.Delta;

/** The deltas that are permitted under an accountant. */
public enum DeltaRule {
    ZERO("must be 0"),
    ANY(""),
    ABOVE_ZERO("must be above 0");

    private final String text;

    DeltaRule(String text) {
        this.text = text;
    }

    /** The rule in words, placed after the name of a field. */
    public String text() {
        return text;
    }

    public boolean permits(Delta delta) {
        return switch (this) {
            case ZERO -> delta.equals(Delta.ZERO);
            case ANY -> true;
            case ABOVE_ZERO -> !delta.equals(Delta.ZERO);
        };
    }
}
