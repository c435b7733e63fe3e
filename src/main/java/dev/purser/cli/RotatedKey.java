package dev.purser.cli;

import java.util.Locale;

/** The keys of the service that a command rotates. */
public enum RotatedKey {
    /** Signs receipts. */
    SIGNING,
    /** Recognizes rows and tables. */
    FINGERPRINT,
    /** Seals the states of sessions. */
    SEALING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
