package dev.purser.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;

/** A copy of a ledger's SQLite file. It is read without a lock and without a second file, and nothing can change it. */
final class SqliteCopy extends Sqlite {
    private final Path file;

    SqliteCopy(Path file) {
        super(file);
        this.file = file;
    }

    /**
     * Copies a ledger as it is at one moment. The copy is durable when this returns. A service may write the ledger
     * meanwhile, but its log is not shortened until the copy is made.
     */
    void make(Path ledger) throws SQLException, IOException {
        loadLibrary(file.resolveSibling("native"));
        PurserHome.createPrivately(file);
        try (Connection connection = new Sqlite(ledger).openReader();
                PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
            copy.setString(1, file.toString());
            copy.execute();
        }
        PurserHome.syncFile(file);
    }

    @Override
    Connection openReader() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        return config.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath() + "?immutable=1");
    }

    @Override
    public Connection openWriter() throws SQLException {
        loadLibrary(file.resolveSibling("native"));
        return openReader();
    }

    @Override
    public void requireStillDurable(Connection writer) {}

    @Override
    public void prepare(Connection writer) {}

    @Override
    public String begin() {
        return "BEGIN";
    }

    @Override
    public void touch(StoreConnection writer) {}
}
