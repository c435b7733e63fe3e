package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.RowsDatabase;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/**
 * Loads one upload into a file of rows, all or nothing.
 *
 * <p>What is stored depends on the upload and on the dataset's public registration only: every value is put on its column's grid
 * and clamped to its public bounds, so that no later question can meet a value it was not told about. Memory does not depend on
 * the size of the upload.
 *
 * <p>The file itself is read by an {@link UploadParser}, in another process. Here arrive its fields, and all that is secret, all
 * that is decided and all that is stored stays here.
 */
public final class CsvIngest {
    /** The most columns a header may have. */
    public static final int MAX_COLUMNS = 10_000;

    /** Enough for any upload measured; more memory does not make it faster. */
    public static final RowsDatabase.Limits DEFAULT_LIMITS = new RowsDatabase.Limits(64, 1);

    /** Four bytes, a quoted line end and a line end, become twelve; all else grows by less. */
    private static final int MAX_EXPANSION_OF_CSV = 4;

    private static final int SMALLEST_LIMIT_OF_CSV = 1 << 10;

    /** Many rows can be a few bytes of Parquet, but only if all of them are alike. */
    private static final int MAX_EXPANSION_OF_PARQUET = 1000;

    private static final long SMALLEST_LIMIT_OF_PARQUET = 64L << 20;

    private static final int CHUNK = 1 << 16;
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;
    private static final Logger LOG = LoggerFactory.getLogger(CsvIngest.class);

    private final RowsDatabase.Limits limits;
    private final byte[] fingerprintSecret;
    private final UploadParser parser;
    private final DataSize maxFile;

    /**
     * @param fingerprintSecret random bytes that key the fingerprints of rows; the same for all that are to be compared
     * @param maxFile the largest file taken in a format that has to be on the disk before it can be read
     */
    public CsvIngest(RowsDatabase.Limits limits, byte[] fingerprintSecret, UploadParser parser, DataSize maxFile) {
        this.limits = limits;
        this.fingerprintSecret = fingerprintSecret.clone();
        this.parser = parser;
        this.maxFile = maxFile;
    }

    /**
     * Reads {@code upload} to its end into a new file {@code target}. If it does not return, nothing of the upload is left.
     *
     * @param target a file that does not exist, in a folder of its own
     * @throws ProblemException {@code invalid-data} with line and column; {@code payload-too-large}; or {@code
     *     temporarily-unavailable} if the rows cannot be written, or not be read safely
     * @throws IOException if {@code upload} cannot be read to its end
     */
    public IngestReport load(Dataset dataset, Upload upload, Path target) throws IOException {
        return Task.start("upload-" + dataset.id(), () -> loadOrLeaveNothing(dataset, upload, target))
                .join();
    }

    private IngestReport loadOrLeaveNothing(Dataset dataset, Upload upload, Path target) throws IOException {
        boolean complete = false;
        try {
            IngestReport report = switch (upload.format()) {
                case CSV -> loadCsv(dataset, upload, target);
                case PARQUET -> loadParquet(dataset, upload, target);
            };
            complete = true;
            return report;
        } catch (SQLException e) {
            LOG.error(
                    "the upload to dataset {} could not be stored: {}",
                    dataset.id(),
                    e.getClass().getName());
            throw ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "The upload could not be stored.");
        } catch (ParserFailure e) {
            throw InvalidData.ofWhole("the file cannot be read within the limits of an upload");
        } finally {
            deleteDatabase(staged(target));
            Files.deleteIfExists(spill(target));
            Files.deleteIfExists(spooled(target));
            if (!complete) {
                deleteDatabase(target);
            }
        }
    }

    private IngestReport loadCsv(Dataset dataset, Upload upload, Path target) throws IOException, SQLException {
        try (UploadParser.Parsing parsing = parser.csv()) {
            Feed sending = new Feed(upload.bytes(), sha256(), parsing);
            InputStream frames = new BoundedFrames(
                    parsing.frames(), () -> MAX_EXPANSION_OF_CSV * sending.sent() + SMALLEST_LIMIT_OF_CSV);
            Task<Optional<byte[]>> feed = Task.start("feed-" + dataset.id(), sending);
            try {
                return store(dataset, upload, frames, () -> feed.join().orElseThrow(ParserFailure::new), target);
            } catch (ParserFailure failure) {
                // It may have been stopped because the sender stopped sending.
                feed.join();
                throw failure;
            } finally {
                // The feed reads the request, which is not the caller's any more once we return.
                parsing.close();
                feed.await();
            }
        }
    }

    private IngestReport loadParquet(Dataset dataset, Upload upload, Path target) throws IOException, SQLException {
        byte[] digest = spool(upload.bytes(), spooled(target));
        long mostBytes = Math.max(
                SMALLEST_LIMIT_OF_PARQUET, Math.multiplyExact(MAX_EXPANSION_OF_PARQUET, Files.size(spooled(target))));
        try (UploadParser.Parsing parsing = parser.parquet(spooled(target))) {
            return store(dataset, upload, new BoundedFrames(parsing.frames(), () -> mostBytes), () -> digest, target);
        }
    }

    private byte[] spool(InputStream upload, Path file) throws IOException {
        MessageDigest digest = sha256();
        try (OutputStream spool = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            byte[] chunk = new byte[CHUNK];
            long size = 0;
            for (int read = upload.read(chunk); read >= 0; read = upload.read(chunk)) {
                size += read;
                if (size > maxFile.toBytes()) {
                    throw ProblemException.of(
                            ProblemType.PAYLOAD_TOO_LARGE,
                            "the file must have at most " + maxFile.toBytes() + " bytes");
                }
                digest.update(chunk, 0, read);
                spool.write(chunk, 0, read);
            }
        }
        return digest.digest();
    }

    private static void deleteDatabase(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.deleteIfExists(sibling(file, ".wal"));
    }

    private IngestReport store(Dataset dataset, Upload upload, InputStream frames, DigestOfAll digest, Path target)
            throws IOException, SQLException {
        try (CopiedFrames copied = new CopiedFrames(frames)) {
            Task<Optional<Fingerprint>> fingerprint = Task.start(
                    "fingerprint-" + dataset.id(),
                    new Fingerprinting(copied.copy(), new FingerprintDigest(fingerprintSecret)));
            CsvRows rows = new CsvRows(dataset, new Fields(copied));
            long stored = store(dataset, upload, rows, target);
            byte[] actual = digest.get();
            checkDigest(upload.expectedSha256(), actual);
            return new IngestReport(rows.count(), stored, rows.valuesClamped(), actual, fingerprint.join());
        }
    }

    private long store(Dataset dataset, Upload upload, CsvRows rows, Path target) throws IOException, SQLException {
        int columns = dataset.columns().size();
        try (Connection connection =
                RowsDatabase.create(target, stagedIfNeeded(dataset, target), spill(target), columns, limits)) {
            long stored = switch (dataset.privacyUnit()) {
                case PrivacyUnit.Row row -> loadRows(rows, upload, connection, dataset);
                case PrivacyUnit.Column unit -> loadBounded(rows, upload, connection, dataset, unit.maxRows());
            };
            try (Statement statement = connection.createStatement()) {
                statement.execute("CHECKPOINT target");
            }
            return stored;
        }
    }

    private static long loadRows(CsvRows rows, Upload upload, Connection connection, Dataset dataset)
            throws IOException, SQLException {
        try (RowTarget target = RowTarget.rows(connection, dataset.columns().size())) {
            while (rows.next()) {
                target.add(rows.values());
                report(rows, upload);
            }
        }
        return rows.count();
    }

    private static long loadBounded(
            CsvRows rows, Upload upload, Connection connection, Dataset dataset, int maxRowsPerUnit)
            throws IOException, SQLException {
        int columns = dataset.columns().size();
        UnitBound bound = new UnitBound(connection, columns, maxRowsPerUnit, UnitBound.newSecret());
        try (UnitBound.Arrivals arrivals = bound.arrivals()) {
            while (rows.next()) {
                byte[] unit = rows.unit();
                arrivals.add(unit, 0, rows.unitLength(), rows.values());
                report(rows, upload);
            }
        }
        return bound.storeRows();
    }

    private static void report(CsvRows rows, Upload upload) {
        if (rows.count() % ROWS_BETWEEN_REPORTS == 0) {
            upload.progress().accept(rows.count());
        }
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

    private static Path spooled(Path target) {
        return sibling(target, ".parquet");
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

    /** The digest of an upload that was read to its end. */
    @FunctionalInterface
    private interface DigestOfAll {
        byte[] get() throws IOException;
    }
}
