package dev.purser.cli;

import java.nio.file.Path;

/** What commands do with a home. They have the settings of its service, and throw what they have logged. */
public interface HomeCommands {
    /** Accepts a restored ledger. */
    void acceptRestoredLedger(String... settings);

    /** Copies the home into a new folder. */
    void backup(Path into, String... settings);

    /**
     * Restores a backup into an empty home.
     *
     * @param nothingLost whether the operator states that the backup has everything
     */
    void restore(Path from, boolean nothingLost, String... settings);

    /** Draws a new key into the home. */
    void rotate(RotatedKey key, String... settings);
}
