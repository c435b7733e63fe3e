package dev.purser.backup;

import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetSettings;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.proof.CopiedLedger;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies a home into a folder that {@link Restore} reads. The home's service may run meanwhile. The copy needs no lock
 * and changes nothing in the home.
 *
 * <p><b>Order.</b> The anchor is copied before the database, so the copied database has everything that the copied
 * anchor confirms. The rows are copied after the database. If a dataset is ready in the database, its rows are in
 * place, and they never change. The manifest is written last. If we stop before, there is no manifest, and the folder
 * is no backup. The operator copies a ledger in PostgreSQL afterwards, with the tools of PostgreSQL.
 */
public final class Backup {
    private static final Logger log = LoggerFactory.getLogger(Backup.class);
    /** How often the anchor is read. It may be written while it is read, and the copy is then no valid anchor. */
    private static final int ATTEMPTS = 20;

    private final StoreSettings store;
    private final DatasetSettings rows;
    private final JournalCheck journal;

    public Backup(StoreSettings store, DatasetSettings rows, JournalCheck journal) {
        this.store = store;
        this.rows = rows;
        this.journal = journal;
    }

    /**
     * Makes the backup, verifies it, and logs what was copied.
     *
     * @param to an empty folder, or a folder that does not exist
     * @throws StartupRefusal if there is no backup now, for a reason that the operator can correct
     */
    public void into(Path to) throws IOException {
        PurserHome.requireRestored(Path.of(store.home()));
        store.requireLedger();
        HomeFiles.requireEmpty(to, "Name a new folder: a backup is never written over another.");
        PurserHome home = new PurserHome(Path.of(store.home()));
        PurserHome copy = new PurserHome(to);
        Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Map<String, String> files = new TreeMap<>();
        copySmall(home, copy, files);
        CopiedLedger ledger = new CopiedLedger(copy, store.ledger(), journal);
        copyAnchor(home, ledger, files);
        if (store.ledger().isEmbedded()) {
            Database.copy(home, copy);
            files.put(HomeFiles.DATABASE, Manifest.digest(copy.path().resolve(HomeFiles.DATABASE)));
        }
        // A key that was drawn meanwhile may already be used in the copied files.
        copySmall(home, copy, files);
        int datasets = copyRows(home, copy, files);
        new Manifest(begun, files).write(copy);

        Manifest.verified(copy.path());
        log.info("Copied {} files to {}, the rows of {} datasets among them.", files.size(), copy.path(), datasets);
        if (store.ledger().isEmbedded()) {
            log.info("Verified every file, and the books of {} accounts against the anchor.", accounts(ledger, copy));
        } else {
            log.info("Verified every file. The ledger is in PostgreSQL: copy its database now, after this backup.");
        }
    }

    private int accounts(CopiedLedger ledger, PurserHome copy) throws IOException {
        try (Database database = Database.ofCopy(copy, store.ledger())) {
            return ledger.verify(database);
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    private static void copyAnchor(PurserHome home, CopiedLedger ledger, Map<String, String> files) throws IOException {
        for (int attempt = 1; ; attempt++) {
            copyIfPresent(home.path().resolve(HomeFiles.ANCHOR), ledger.home(), HomeFiles.ANCHOR, files);
            try {
                ledger.requireAnchor();
                return;
            } catch (StartupRefusal unreadable) {
                if (attempt == ATTEMPTS || !files.containsKey(HomeFiles.ANCHOR)) {
                    throw unreadable;
                }
                Files.delete(ledger.home().path().resolve(HomeFiles.ANCHOR));
            }
        }
    }

    private static void copySmall(PurserHome home, PurserHome copy, Map<String, String> files) throws IOException {
        for (String name : HomeFiles.small(home.path())) {
            Files.deleteIfExists(copy.path().resolve(name));
            copyIfPresent(home.path().resolve(name), copy, name, files);
        }
    }

    private int copyRows(PurserHome home, PurserHome copy, Map<String, String> files) throws IOException {
        Path root = rows.root(home);
        int copied = 0;
        for (Path each : DatasetFiles.finished(root)) {
            String id = each.getName(0).toString();
            copy.directory(HomeFiles.ROWS, id);
            if (copyIfPresent(root.resolve(each), copy, HomeFiles.ROWS + "/" + each, files)) {
                copied++;
            } else {
                log.info("The dataset {} was deleted meanwhile: its rows are not copied.", id);
            }
        }
        return copied;
    }

    private static boolean copyIfPresent(Path file, PurserHome copy, String name, Map<String, String> files)
            throws IOException {
        try {
            files.put(name, Manifest.copy(file, copy.path().resolve(name)));
            return true;
        } catch (NoSuchFileException gone) {
            return false;
        }
    }
}
