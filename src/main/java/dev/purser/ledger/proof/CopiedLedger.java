package dev.purser.ledger.proof;

import dev.purser.journal.JournalCheck;
import dev.purser.ledger.LastBlocks;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.MacKey;
import dev.purser.store.PurserHome;
import dev.purser.store.Secret;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StorageException;
import java.nio.file.Files;
import java.time.Clock;

/**
 * The ledger in a copy of a home, with the anchor that was copied before it. A copied ledger is sound and has
 * everything that this anchor confirms. The ledger and the anchor do not contain what was spent after the copy was
 * made.
 *
 * @param home the copy
 * @param settings the settings, which contain the key of the anchor if the key is not in the home
 * @param journal the comparison of rows with the journal
 */
public record CopiedLedger(PurserHome home, LedgerSettings settings, JournalCheck journal) {
    /**
     * Verifies the anchor alone.
     *
     * @throws StartupRefusal if it is missing, or was not written with this key
     */
    public void requireAnchor() {
        anchor();
    }

    /**
     * Verifies the ledger as a start does, and changes nothing.
     *
     * @return how many accounts it has
     * @throws StartupRefusal if it is not sound, or older than its anchor
     */
    public int verify(Database database) {
        try {
            return LedgerGuard.verify(database, anchor(), journal);
        } catch (StorageException wouldChange) {
            throw new StartupRefusal(
                    "The ledger's database lacks steps of sessions that its anchor confirms, or cannot be read: "
                            + wouldChange.getMessage(),
                    "Restore a copy of the database that is newer than the anchor beside it.",
                    wouldChange);
        }
    }

    /**
     * Begins the anchor anew from a database that lost nothing.
     *
     * @throws StartupRefusal as {@link #verify}
     */
    public void goOn(Database database) {
        LedgerGuard.open(database, anchor(), false, journal);
    }

    /**
     * Charges every account all that remains, closes its sessions and its questions without an answer, logs this, and
     * begins the anchor anew.
     *
     * @throws StartupRefusal if the database is not sound, or the operator's statement cannot be true
     */
    public void close(Database database, LastBlocks lastBlocks) {
        LedgerGuard.accept(database, null, lastBlocks, Anchor.anew(home, database.key()), Clock.systemUTC(), journal);
    }

    private Anchor anchor() {
        requireKey(settings.journalKey(), MacKey.FILE, "PURSER_LEDGER_JOURNAL_KEY");
        Anchor anchor = Anchor.read(home, MacKey.of(home, settings));
        if (!anchor.wasFound()) {
            throw new StartupRefusal(
                    "There is no ledger.anchor in " + home.path() + ".",
                    "Without it nobody can tell whether the ledger is complete.");
        }
        return anchor;
    }

    /** Requires a key of the copied service. A missing key would be replaced by a new key. */
    private void requireKey(Secret configured, String file, String variable) {
        if (configured.text().isBlank() && !Files.exists(home.path().resolve(file))) {
            throw new StartupRefusal(
                    "There is no " + file + " in " + home.path() + ".",
                    "Set " + variable + " as the service has it, or use a copy that has the file.");
        }
    }
}
