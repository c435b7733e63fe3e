package dev.purser.dataset.ingest;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.digest.Sha256;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import dev.purser.rows.RowsNotWritten;
import dev.purser.task.Task;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/**
 * Loads one upload into a {@link dev.purser.rows.RowsFile}, all or nothing.
 *
 * <p>What is stored depends on the upload and on the dataset's public registration only: every value is put on its column's grid
 * and clamped to its public bounds, so that no later question can meet a value it was not told about. Memory does not depend on
 * the size of the upload, but for one bit a row where the privacy unit is a column.
 *
 * <p>The file itself is read by an {@link UploadParser}, in another process. Here arrive its fields, and all that is secret, all
 * that is decided and all that is stored stays here.
 */
public final class CsvIngest {
    /** The most columns a header may have. */
    public static final int MAX_COLUMNS = 10_000;

    /** Four bytes, a quoted line end and a line end, become twelve; all else grows by less. */
    private static final int MAX_EXPANSION_OF_CSV = 4;

    private static final int SMALLEST_LIMIT_OF_CSV = 1 << 10;

    /** Many rows can be a few bytes of Parquet, but only if all of them are alike. */
    private static final int MAX_EXPANSION_OF_PARQUET = 4000;

    /** Smaller files may become as much as one of this size: 256 MB. */
    private static final long SMALLEST_BOUNDED_PARQUET = Math.ceilDiv(256L << 20, MAX_EXPANSION_OF_PARQUET);

    private static final int CHUNK = 1 << 17;
    private static final Logger LOG = LoggerFactory.getLogger(CsvIngest.class);

    private final byte[] fingerprintSecret;
    private final UploadParser parser;
    private final DataSize maxFile;

    /**
     * @param fingerprintSecret random bytes that key the fingerprints of rows; the same for all that are to be compared
     * @param maxFile the largest file taken in a format that has to be on the disk before it can be read
     */
    public CsvIngest(byte[] fingerprintSecret, UploadParser parser, DataSize maxFile) {
        this.fingerprintSecret = fingerprintSecret.clone();
        this.parser = parser;
        this.maxFile = maxFile;
    }

    /**
     * Refuses an upload before any of it is read.
     *
     * @param announcedBytes how many there will be; negative if that is not known
     * @throws ProblemException {@code payload-too-large}
     */
    public void requireNotTooLarge(UploadFormat format, long announcedBytes) {
        if (format == UploadFormat.PARQUET && announcedBytes > maxFile.toBytes()) {
            throw tooLarge();
        }
    }

    private ProblemException tooLarge() {
        return ProblemException.of(
                ProblemType.PAYLOAD_TOO_LARGE, "the file must have at most " + maxFile.toBytes() + " bytes");
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
        } catch (RowsNotWritten e) {
            LOG.error(
                    "the upload to dataset {} could not be stored: {}",
                    dataset.id(),
                    e.getClass().getName());
            throw ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "The upload could not be stored.");
        } catch (ParserFailure e) {
            throw InvalidData.ofWhole("the file cannot be read within the limits of an upload");
        } finally {
            Files.deleteIfExists(spooled(target));
            if (!complete) {
                Files.deleteIfExists(target);
            }
        }
    }

    private IngestReport loadCsv(Dataset dataset, Upload upload, Path target) throws IOException {
        try (UploadParser.Parsing parsing = parser.csv()) {
            Feed sending = new Feed(upload.bytes(), Sha256.begin(), parsing);
            Fields fields = new Fields(new FrameBuffer(
                    new BoundedFrames(parsing.frames(), sending.sent(), MAX_EXPANSION_OF_CSV, SMALLEST_LIMIT_OF_CSV)));
            Task<Optional<byte[]>> feed = Task.start("feed-" + dataset.id(), sending);
            try {
                return store(
                        dataset,
                        upload,
                        fingerprint -> new CsvRows(dataset, fields, fingerprint),
                        () -> feed.join().orElseThrow(ParserFailure::new),
                        target);
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

    private IngestReport loadParquet(Dataset dataset, Upload upload, Path target) throws IOException {
        Path file = spooled(target);
        try (OutputStream spool = new SpooledFile(file);
                StartingParser starting = new StartingParser(dataset.id(), () -> parser.parquet(file))) {
            byte[] digest = receive(dataset.id(), upload.bytes(), spool);
            UploadParser.ParquetParsing parsing = starting.started();
            parsing.input().close();
            AtomicLong given = new AtomicLong(Math.max(Files.size(file), SMALLEST_BOUNDED_PARQUET));
            BoundedFrames frames = new BoundedFrames(parsing.frames(), given, MAX_EXPANSION_OF_PARQUET, 0);
            SharedBatches batches = new SharedBatches(parsing.slots(), frames);
            return store(
                    dataset,
                    upload,
                    fingerprint -> new ParquetColumns(dataset, new FrameBuffer(frames), batches, fingerprint),
                    () -> digest,
                    target);
        }
    }

    private byte[] receive(String id, InputStream upload, OutputStream spool) throws IOException {
        try (DigestBeside digest = new DigestBeside("digest-" + id, CHUNK)) {
            long size = 0;
            // Full chunks: the request comes in pieces of 32 KB, and each would be a call of the operating system.
            for (int read = readChunk(upload, digest); read > 0; read = readChunk(upload, digest)) {
                size += read;
                if (size > maxFile.toBytes()) {
                    throw tooLarge();
                }
                spool.write(digest.chunk(), 0, read);
                digest.take(read);
            }
            return digest.digest();
        }
    }

    private static int readChunk(InputStream upload, DigestBeside digest) throws IOException {
        return upload.readNBytes(digest.chunk(), 0, digest.chunk().length);
    }

    private IngestReport store(Dataset dataset, Upload upload, RowsOfFile reading, DigestOfAll digest, Path target)
            throws IOException {
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), target)) {
            FingerprintDigest fingerprint = new FingerprintDigest(fingerprintSecret);
            UploadRows rows = reading.under(fingerprint);
            long stored = store(dataset, upload, rows, target, writer);
            byte[] actual = digest.get();
            checkDigest(upload.expectedSha256(), actual);
            writer.finish();
            RowBatch read = rows.batch();
            return new IngestReport(read.total(), stored, read.valuesClamped(), actual, fingerprint.fingerprint());
        }
    }

    private long store(Dataset dataset, Upload upload, UploadRows rows, Path target, RowsFileWriter writer)
            throws IOException {
        return switch (dataset.privacyUnit()) {
            case PrivacyUnit.Row row -> storeAll(rows, upload, writer);
            case PrivacyUnit.Column unit -> storeBounded(rows, upload, dataset, unit.maxRows(), target, writer);
        };
    }

    private static long storeAll(UploadRows rows, Upload upload, RowsFileWriter writer) throws IOException {
        while (rows.next()) {
            writer.add(rows.batch().columns(), rows.batch().size());
            upload.progress().accept(rows.batch().total());
        }
        return rows.batch().total();
    }

    private static long storeBounded(
            UploadRows rows, Upload upload, Dataset dataset, int maxRowsPerUnit, Path target, RowsFileWriter writer)
            throws IOException {
        try (UnitBound bound = new UnitBound(dataset.shape(), maxRowsPerUnit, UnitBound.newSecret(), target)) {
            while (rows.next()) {
                bound.add(rows.batch());
                upload.progress().accept(rows.batch().total());
            }
            return bound.storeRows(writer);
        }
    }

    private static void checkDigest(byte @Nullable [] expected, byte[] actual) {
        if (expected != null && !MessageDigest.isEqual(expected, actual)) {
            throw InvalidData.ofWhole(
                    "the SHA-256 digest of the data received is not the one announced in Content-Digest");
        }
    }

    private static Path spooled(Path target) {
        return sibling(target, ".parquet");
    }

    private static Path sibling(Path target, String suffix) {
        return target.resolveSibling(target.getFileName() + suffix);
    }

    /** The rows of one file, all of which a digest is told. */
    @FunctionalInterface
    private interface RowsOfFile {
        UploadRows under(FingerprintDigest fingerprint);
    }

    /** The digest of an upload that was read to its end. */
    @FunctionalInterface
    private interface DigestOfAll {
        byte[] get() throws IOException;
    }
}
