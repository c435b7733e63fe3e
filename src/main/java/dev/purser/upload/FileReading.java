package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.digest.Sha256;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of rows once. All rows are read as CSV. A {@link ParquetChild} turns Parquet into CSV first. Memory does
 * not depend on the file.
 */
final class FileReading {
    private static final int CHUNK = 1 << 16;

    private final Dataset dataset;
    private final SentFile sent;
    private final UploadSettings settings;
    private final @Nullable RowFingerprint fingerprint;
    private final DigestInputStream bytes;
    private final InvalidData errors = new InvalidData();
    private byte[] digest = {};
    private long rowsRead;
    private List<ClampedColumn> clamped = List.of();
    private List<SubstitutedColumn> substituted = List.of();

    /** Takes each row, even after an error. */
    @FunctionalInterface
    interface RowConsumer {
        void accept(CsvRows rows) throws IOException;
    }

    /** @param fingerprint takes all rows; null if no fingerprint is wanted */
    FileReading(Dataset dataset, SentFile sent, UploadSettings settings, @Nullable RowFingerprint fingerprint) {
        this.dataset = dataset;
        this.sent = sent;
        this.settings = settings;
        this.fingerprint = fingerprint;
        bytes = new DigestInputStream(sent.bytes(), Sha256.begin());
    }

    /** The refusal of a Parquet file that is too large. */
    static ProblemException tooLarge(UploadSettings settings) {
        return ProblemException.of(
                        ProblemType.PAYLOAD_TOO_LARGE,
                        "the file must have at most " + settings.maxFile().toBytes() + " bytes")
                .recordedAs(ProblemType.INVALID_DATA);
    }

    /**
     * Reads the file as far as the end of each row can be found.
     *
     * @param folder for a Parquet file; it is created
     * @throws ProblemException {@code payload-too-large}; {@code temporarily-unavailable} if a child process cannot
     *     work
     * @throws SenderFailure if the file cannot be read to its end
     */
    void forEach(Path folder, RowConsumer consumer) throws IOException {
        switch (sent.format()) {
            case CSV -> forEach(bytes, consumer);
            case PARQUET -> {
                try (ParquetChild child = ParquetChild.start(spool(folder), settings)) {
                    forEach(child.csv(), consumer);
                }
            }
        }
    }

    private void forEach(InputStream csv, RowConsumer consumer) throws IOException {
        CsvRows rows = new CsvRows(dataset, sent.block(), sent.format(), csv, fingerprint, errors);
        try {
            while (rows.next()) {
                consumer.accept(rows);
            }
            digest = bytes.getMessageDigest().digest();
            if (rows.areComplete()) {
                checkWhole(rows);
            }
        } catch (UnreadableFile failure) {
            errors.add(null, failure.column(), failure.rule());
        }
        rowsRead = rows.rows();
        clamped = rows.clamped();
        substituted = rows.substituted();
    }

    private void checkWhole(CsvRows rows) {
        if (rows.rows() == 0 && !sent.allowEmpty()) {
            errors.add(null, null, "the file has no rows: send it with ?allowEmpty=true if that is meant");
        }
        if (sent.expectedSha256() != null && !MessageDigest.isEqual(sent.expectedSha256(), digest)) {
            errors.add(
                    null,
                    null,
                    "the SHA-256 digest of the data received is not the one announced in Content-Digest: send it"
                            + " again");
        }
    }

    /** Puts a Parquet file on the disk, in a folder of its own, because its end has to be read first. */
    private Path spool(Path folder) throws IOException {
        DatasetFiles.createFolder(folder);
        Path file = Files.createFile(folder.resolve("file.parquet"));
        DatasetFiles.restrict(file);
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] chunk = new byte[CHUNK];
            long size = 0;
            for (int read = bytes.read(chunk); read >= 0; read = bytes.read(chunk)) {
                size += read;
                if (size > settings.maxFile().toBytes()) {
                    throw tooLarge(settings);
                }
                out.write(chunk, 0, read);
            }
        }
        return file;
    }

    /** The rules that the file breaks. */
    InvalidData errors() {
        return errors;
    }

    /** How many rows were read, without the header. */
    long rowsRead() {
        return rowsRead;
    }

    /** The columns with values outside their bounds. */
    List<ClampedColumn> clamped() {
        return clamped;
    }

    /** The columns with values that are stored as their substitute. */
    List<SubstitutedColumn> substituted() {
        return substituted;
    }

    /** The SHA-256 digest of a file that was read to its end, as in RFC 9530. */
    String digest() {
        return "sha-256=:" + Base64.getEncoder().encodeToString(digest) + ":";
    }
}
