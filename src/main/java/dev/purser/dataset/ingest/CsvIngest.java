package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.RowsDatabase;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads one CSV upload into a file of rows, all or nothing.
 *
 * <p>What is stored depends on the upload and on the dataset's public registration only: every value is put on its column's grid
 * and clamped to its public bounds, so that no later question can meet a value it was not told about. Memory does not depend on
 * the size of the upload.
 */
public final class CsvIngest {
    /** The longest field taken, in bytes. */
    public static final int MAX_FIELD_BYTES = 1 << 20;

    /** The most columns a header may have. */
    public static final int MAX_COLUMNS = 10_000;

    /** Enough for any upload measured; more memory does not make it faster. */
    public static final RowsDatabase.Limits DEFAULT_LIMITS = new RowsDatabase.Limits(64, 1);

    private static final Logger LOG = LoggerFactory.getLogger(CsvIngest.class);

    private final RowsDatabase.Limits limits;
    private final byte[] fingerprintSecret;

    /** @param fingerprintSecret random bytes that key the fingerprints of rows; the same for all that are to be compared */
    public CsvIngest(RowsDatabase.Limits limits, byte[] fingerprintSecret) {
        this.limits = limits;
        this.fingerprintSecret = fingerprintSecret.clone();
    }

    /**
     * Reads {@code csv} to its end into a new file {@code target}. If it does not return, nothing of the upload is left.
     *
     * @param expectedSha256 the digest the sender announced, if any
     * @param target a file that does not exist, in a folder of its own
     * @throws ProblemException {@code invalid-data} with line and column, or {@code temporarily-unavailable} if the rows cannot
     *     be written
     * @throws IOException if {@code csv} cannot be read to its end
     */
    public IngestReport load(Dataset dataset, InputStream csv, byte @Nullable [] expectedSha256, Path target)
            throws IOException {
        boolean complete = false;
        try {
            IngestReport report = loadInto(dataset, csv, expectedSha256, target);
            complete = true;
            return report;
        } catch (SQLException e) {
            LOG.error(
                    "the upload to dataset {} could not be stored: {}",
                    dataset.id(),
                    e.getClass().getName());
            throw ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "The upload could not be stored.");
        } finally {
            deleteDatabase(staged(target));
            Files.deleteIfExists(spill(target));
            if (!complete) {
                deleteDatabase(target);
            }
        }
    }

    private static void deleteDatabase(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(sibling(file, ".wal"));
    }

    private IngestReport loadInto(Dataset dataset, InputStream csv, byte @Nullable [] expectedSha256, Path target)
            throws IOException, SQLException {
        MessageDigest digest = sha256();
        CsvRows rows =
                new CsvRows(dataset, new DigestInputStream(csv, digest), new FingerprintDigest(fingerprintSecret));
        int columns = dataset.columns().size();
        try (Connection connection =
                RowsDatabase.create(target, stagedIfNeeded(dataset, target), spill(target), columns, limits)) {
            long stored = switch (dataset.privacyUnit()) {
                case PrivacyUnit.Row row -> loadRows(rows, connection, dataset);
                case PrivacyUnit.Column unit -> loadBounded(rows, connection, dataset, unit.maxRows());
            };
            byte[] actual = digest.digest();
            checkDigest(expectedSha256, actual);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CHECKPOINT target");
            }
            return new IngestReport(rows.count(), stored, rows.valuesClamped(), actual, rows.fingerprint());
        }
    }

    private static long loadRows(CsvRows rows, Connection connection, Dataset dataset)
            throws IOException, SQLException {
        try (RowTarget target = RowTarget.rows(connection, dataset.columns().size())) {
            while (rows.next()) {
                target.add(rows.values());
            }
        }
        return rows.count();
    }

    private static long loadBounded(CsvRows rows, Connection connection, Dataset dataset, int maxRowsPerUnit)
            throws IOException, SQLException {
        int columns = dataset.columns().size();
        UnitBound bound = new UnitBound(connection, columns, maxRowsPerUnit, UnitBound.newSecret());
        try (UnitBound.Arrivals arrivals = bound.arrivals()) {
            while (rows.next()) {
                byte[] unit = rows.unit();
                arrivals.add(unit, 0, rows.unitLength(), rows.values());
            }
        }
        return bound.storeRows();
    }

    private static void checkDigest(byte @Nullable [] expected, byte[] actual) {
        if (expected != null && !MessageDigest.isEqual(expected, actual)) {
            throw InvalidData.ofWhole(
                    "the SHA-256 digest of the data received is not the one announced in Content-Digest");
        }
    }

    private static @Nullable Path stagedIfNeeded(Dataset dataset, Path target) {
        return dataset.privacyUnit() instanceof PrivacyUnit.Column ? staged(target) : null;
    }

    private static Path staged(Path target) {
        return sibling(target, ".staged");
    }

    private static Path spill(Path target) {
        return sibling(target, ".spill");
    }

    private static Path sibling(Path target, String suffix) {
        return target.resolveSibling(target.getFileName() + suffix);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
