package dev.purser.cli;

import java.nio.file.Path;
import java.util.Map;

/** The work of commands on a home, with the settings of the home's service. A failure is logged before it is thrown. */
public interface HomeCommands {
    /**
     * Accepts a restored ledger.
     *
     * @param lastBlocks by account, the last block that anybody may have asked about
     */
    void acceptRestoredLedger(Map<String, String> lastBlocks, String... settings);

    /** Copies the home into a new folder. */
    void backup(Path into, String... settings);

    /**
     * Restores a backup into an empty home.
     *
     * @param nothingLost whether the operator states that the backup has everything
     * @param lastBlocks by account, the last block that anybody may have asked about
     */
    void restore(Path from, boolean nothingLost, Map<String, String> lastBlocks, String... settings);

    /** Draws a new key into the home. */
    void rotate(RotatedKey key, String... settings);
}
