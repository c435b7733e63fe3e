package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.sqlite.SQLiteConfig;

/** One service, its ledger in the SQLite database of its home. */
final class SqliteInstance implements Topology {
    private final HomeFolder folder;
    private final ServiceUnderTest service;
    private final BackupBeside backup;
    private final Rotation rotation;

    SqliteInstance(Path jar, int port, Path work, HomeFolder folder, Belongings belongings) {
        this.folder = folder;
        this.service = new ServiceUnderTest(jar, folder.home(), work.resolve("service.log"), port, Map.of());
        this.backup = new BackupBeside(work, port + 1, belongings);
        this.rotation = new Rotation(work);
        belongings.add(service::kill);
    }

    @Override
    public String name() {
        return "SQLite, one instance, home on " + (folder.isSmall() ? "a small file system" : "the disk");
    }

    @Override
    public List<ServiceUnderTest> services() {
        return List.of(service);
    }

    @Override
    public StoredBooks books() throws SQLException {
        return books(service.home());
    }

    /** The ledger in a home. */
    static StoredBooks books(Path home) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(10_000);
        return new StoredBooks(config.createConnection("jdbc:sqlite:" + home.resolve("ledger.db")));
    }

    private Path file(String name) {
        return service.home().resolve(name);
    }

    @Override
    public List<Nemesis> nemeses() {
        List<Path> ledger = List.of(file("ledger.db"), file("ledger.db-wal"));
        return List.of(
                new Nemesis.Kill(),
                new Nemesis.Pause(),
                new SyscallFault("fsync-eio", "fsync,fdatasync", "error=EIO", ledger),
                new SyscallFault("fsync-enospc", "fsync,fdatasync", "error=ENOSPC", ledger),
                new SyscallFault("kill-at-fsync", "fsync,fdatasync", "signal=SIGKILL", ledger),
                new SlowFlush(ledger),
                new SyscallFault("write-eio", "pwrite64", "error=EIO", ledger),
                new SyscallFault("write-enospc", "pwrite64", "error=ENOSPC", ledger),
                new SyscallFault("kill-at-write", "pwrite64", "signal=SIGKILL", ledger),
                new FullDisk(folder),
                new FlushCount(ledger),
                new RestoredBackup(file("ledger.db")),
                backup,
                rotation);
    }

    @Override
    public void healStore() {
        // SQLite has no process of its own.
    }

    @Override
    public void end(Path kept) throws IOException, InterruptedException {
        service.kill();
        if (kept != null) {
            Programs.run("cp", "-a", service.home().toString(), kept.toString());
        }
        folder.putAway();
    }
}
