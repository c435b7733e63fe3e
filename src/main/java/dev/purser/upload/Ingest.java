package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.DatasetLoading;
import dev.purser.dataset.FingerprintSecret;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Reads one upload into a {@link dev.purser.rows.RowsFile}.
 *
 * <p>CSV is the one form of rows; Parquet is turned into CSV by a {@link ParquetChild} first. What is stored depends on
 * the upload and on the dataset's public registration only: every value is put on its column's grid and clamped to its
 * public bounds, so that no later question can meet a value it was not told about. Memory does not depend on the size
 * of the upload, but for one bit a row where the privacy unit is a column.
 */
@Component
final class Ingest {
    private static final int CHUNK = 1 << 16;
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);

    private final FingerprintSecret secret;
    private final UploadSettings settings;

    Ingest(FingerprintSecret secret, UploadSettings settings) {
        this.secret = secret;
        this.settings = settings;
    }

    /** The refusal of a Parquet file that is too large. */
    ProblemException tooLarge() {
        return ProblemException.of(
                        ProblemType.PAYLOAD_TOO_LARGE,
                        "the file must have at most " + settings.maxFile().toBytes() + " bytes")
                .recordedAs(ProblemType.INVALID_DATA);
    }

    /**
     * Reads an upload to its end into the file of {@code loading}, which the caller removes if this fails.
     *
     * @param sent the bytes of the upload
     * @param expectedSha256 the digest that the sender announced, if any
     * @throws ProblemException {@code invalid-data} with line and column; {@code payload-too-large}; {@code
     *     temporarily-unavailable} if the rows cannot be written, or a child process cannot be started
     * @throws SenderFailure if {@code sent} cannot be read to its end
     */
    UploadReport load(
            Dataset dataset,
            UploadFormat format,
            InputStream sent,
            byte @Nullable [] expectedSha256,
            DatasetLoading.Loading loading)
            throws IOException {
        try {
            Path target = loading.file();
            DigestInputStream bytes = new DigestInputStream(sent, sha256());
            return switch (format) {
                case CSV -> store(dataset, bytes, bytes, expectedSha256, target, loading);
                case PARQUET -> {
                    try (ParquetChild child = ParquetChild.start(spool(bytes, target), settings.sandbox())) {
                        yield store(dataset, child.csv(), bytes, expectedSha256, target, loading);
                    }
                }
            };
        } catch (SenderFailure failure) {
            throw failure;
        } catch (IOException failure) {
            LOG.error(
                    "the upload to dataset {} could not be stored: {}",
                    dataset.id(),
                    failure.getClass().getName());
            throw ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "The upload could not be stored.");
        }
    }

    /** Puts a Parquet file on the disk, in a folder of its own: it cannot be read from its beginning on. */
    private Path spool(InputStream bytes, Path target) throws IOException {
        Path folder = target.resolveSibling("parquet");
        DatasetFiles.createFolder(folder);
        Path file = Files.createFile(folder.resolve("file.parquet"));
        DatasetFiles.restrict(file);
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] chunk = new byte[CHUNK];
            long size = 0;
            for (int read = bytes.read(chunk); read >= 0; read = bytes.read(chunk)) {
                size += read;
                if (size > settings.maxFile().toBytes()) {
                    throw tooLarge();
                }
                out.write(chunk, 0, read);
            }
        }
        return file;
    }

    /**
     * Stores the rows of {@code csv}.
     *
     * @param bytes the upload, of which all was read once {@code csv} ended
     */
    private UploadReport store(
            Dataset dataset,
            InputStream csv,
            DigestInputStream bytes,
            byte @Nullable [] expectedSha256,
            Path target,
            DatasetLoading.Loading loading)
            throws IOException {
        RowFingerprint fingerprint = new RowFingerprint(secret.rowsKey());
        CsvRows rows = new CsvRows(dataset, csv, fingerprint);
        try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), target)) {
            long stored = switch (dataset.privacyUnit()) {
                case PrivacyUnit.Row row -> storeAll(rows, writer, loading);
                case PrivacyUnit.Column unit -> storeBounded(rows, unit.maxRows(), dataset, target, writer, loading);
            };
            byte[] digest = bytes.getMessageDigest().digest();
            if (expectedSha256 != null && !MessageDigest.isEqual(expectedSha256, digest)) {
                throw InvalidData.ofWhole(
                        "the SHA-256 digest of the data received is not the one announced in Content-Digest");
            }
            writer.finish();
            String shown = "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":";
            return new UploadReport(rows.rows(), stored, rows.clamped(), shown, fingerprint.fingerprint());
        }
    }

    private static long storeAll(CsvRows rows, RowsFileWriter writer, DatasetLoading.Loading loading)
            throws IOException {
        while (rows.next()) {
            writer.add(rows.values());
            report(rows, loading);
        }
        return rows.rows();
    }

    private static long storeBounded(
            CsvRows rows,
            int maxRowsPerUnit,
            Dataset dataset,
            Path target,
            RowsFileWriter writer,
            DatasetLoading.Loading loading)
            throws IOException {
        try (UnitBound bound = new UnitBound(dataset.shape(), maxRowsPerUnit, UnitBound.newSecret(), target)) {
            while (rows.next()) {
                bound.add(rows.unit(), rows.unitLength(), rows.values());
                report(rows, loading);
            }
            return bound.storeRows(writer);
        }
    }

    private static void report(CsvRows rows, DatasetLoading.Loading loading) {
        if (rows.rows() % ROWS_BETWEEN_REPORTS == 0) {
            loading.rows(rows.rows());
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
