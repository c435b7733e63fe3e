package dev.purser.backup;

import dev.purser.access.IssuedKey;
import dev.purser.access.KeyRegister;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetSettings;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.LastBlocks;
import dev.purser.ledger.proof.CopiedLedger;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreSettings;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores a {@link Backup} into an empty home. Nobody knows what was spent after the backup was begun. Therefore every
 * account is charged all that remains, and every session and every question without an answer is closed, unless the
 * operator states that nothing was lost.
 *
 * <p><b>Failure story.</b> A marker file is written first and removed last. While it exists, the service does not start
 * on the home. A restore that is refused leaves the home as empty as it was.
 */
public final class Restore {
    private static final Logger log = LoggerFactory.getLogger(Restore.class);
    private static final int KEYS_AT_ONCE = 1_000;

    private final StoreSettings store;
    private final DatasetSettings rows;
    private final JournalCheck journal;

    public Restore(StoreSettings store, DatasetSettings rows, JournalCheck journal) {
        this.store = store;
        this.rows = rows;
        this.journal = journal;
    }

    /**
     * Restores the backup, and logs what was closed and counted as spent, and which keys are valid.
     *
     * @param nothingLost whether everything that was ever confirmed is in the copied database
     * @param lastBlocks the last block that is closed, by account, if something may be lost
     * @throws StartupRefusal if the backup cannot be restored; the home is empty then
     */
    public void from(Path backup, boolean nothingLost, LastBlocks lastBlocks) throws IOException {
        Path place = Path.of(store.home()).toAbsolutePath().normalize();
        HomeFiles.requireEmpty(place, "Set PURSER_HOME to an empty folder, or to one that does not exist.");
        Manifest manifest = Manifest.verified(backup);
        requireWhole(manifest, backup);
        PurserHome home = new PurserHome(place);
        Path unfinished = home.path().resolve(PurserHome.RESTORING);
        home.writePrivately(unfinished, new byte[0]);
        try {
            for (String name : manifest.files().keySet()) {
                if (!name.contains("/")) {
                    Manifest.copy(backup.resolve(name), home.path().resolve(name));
                }
            }
            log.info("Restored the backup that was begun at {} into {}.", manifest.madeAt(), home.path());
            if (!store.ledger().isEmbedded()) {
                store.requireLedger();
            }
            settle(backup, manifest, home, nothingLost, lastBlocks);
        } catch (RuntimeException | IOException refusal) {
            empty(home.path());
            throw refusal;
        }
        Files.delete(unfinished);
        PurserHome.syncDirectory(home.path());
        log.info("The home is complete. Start the service.");
    }

    private void requireWhole(Manifest manifest, Path backup) {
        if (!manifest.files().containsKey(HomeFiles.ANCHOR)) {
            throw new StartupRefusal("The backup " + backup + " has no anchor.", "Use another backup.");
        }
        boolean embedded = manifest.files().containsKey(HomeFiles.DATABASE);
        if (embedded != store.ledger().isEmbedded()) {
            throw new StartupRefusal(
                    "The ledger of the backup " + backup + " is "
                            + (embedded ? "a SQLite file, and PURSER_LEDGER_URL is set." : "not in it."),
                    embedded ? "Remove the setting." : "Set PURSER_LEDGER_URL as the service had it.");
        }
    }

    private void settle(Path backup, Manifest manifest, PurserHome home, boolean nothingLost, LastBlocks lastBlocks)
            throws IOException {
        CopiedLedger ledger = new CopiedLedger(home, store.ledger(), journal);
        try (Database database = new Database(home, store.ledger())) {
            log.info("The books of {} accounts are sound and agree with the anchor.", ledger.verify(database));
            restoreRows(backup, manifest, home, DatasetFiles.ready(database));
            if (nothingLost) {
                ledger.goOn(database);
                log.info("Nothing was lost, as stated: nothing is closed or counted as spent.");
            } else {
                log.info("Nobody knows what was spent after the backup was begun.");
                ledger.close(database, lastBlocks);
            }
            logKeys(database);
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    /** Copies the rows that the database knows. If others were copied, the datasets could not be loaded again. */
    private void restoreRows(Path backup, Manifest manifest, PurserHome home, Set<Path> ready) throws IOException {
        Path root = rows.root(home);
        DatasetFiles.createFolder(root);
        for (Path each : DatasetFiles.finished(backup.resolve(HomeFiles.ROWS))) {
            Path to = root.resolve(each);
            String name = HomeFiles.ROWS + "/" + each;
            if (!ready.contains(each) || !manifest.files().containsKey(name)) {
                continue;
            }
            if (!Files.exists(to)) {
                DatasetFiles.createFolder(root.resolve(each.getName(0)));
                Manifest.copy(backup.resolve(name), to);
            } else if (!Manifest.digest(to).equals(manifest.files().get(name))) {
                throw new StartupRefusal(
                        "The file " + to + " differs from the one in the backup.",
                        "Move it away: rows never change, so one of the two is damaged or of another ledger.");
            }
        }
        PurserHome.syncDirectory(root);
    }

    private static void logKeys(Database database) {
        KeyRegister register = new KeyRegister(database, Clock.systemUTC());
        log.info("These keys are valid, and the administrator's. Revoke those that were revoked after the backup:");
        String after = "";
        for (List<IssuedKey> page = register.list(Order.ASC, after, KEYS_AT_ONCE);
                !page.isEmpty();
                page = register.list(Order.ASC, after, KEYS_AT_ONCE)) {
            for (IssuedKey key : page) {
                if (key.stateAt(register.now()) == IssuedKey.State.ACTIVE) {
                    log.info(
                            "key {} of {}, {}",
                            key.keyId(),
                            key.name(),
                            key.role().label());
                }
            }
            after = page.getLast().keyId();
        }
    }

    /** Removes all restored files. The file that keeps the service from starting is removed last. */
    private static void empty(Path home) throws IOException {
        Files.walkFileTree(home, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!file.equals(home.resolve(PurserHome.RESTORING))) {
                    Files.delete(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) throws IOException {
                if (!folder.equals(home)) {
                    Files.delete(folder);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        Files.delete(home.resolve(PurserHome.RESTORING));
    }
}
