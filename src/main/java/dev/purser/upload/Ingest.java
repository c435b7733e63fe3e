package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetLoading;
import dev.purser.dataset.Fingerprint;
import dev.purser.dataset.FingerprintKeys;
import dev.purser.dataset.FingerprintSecret;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.rows.RowsFileWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Reads one upload into a {@link dev.purser.rows.RowsFile}, or checks what an upload would be told.
 *
 * <p>What is stored depends only on the upload and on the dataset's public registration. Every value is put on its
 * column's grid and clamped to its public bounds, so that later questions meet only values within the public facts.
 * Memory does not depend on the size of the upload.
 */
@Component
final class Ingest {
    private static final int ROWS_BETWEEN_REPORTS = 1 << 12;
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded");

    private final FingerprintKeys keys;
    private final UploadSettings settings;

    Ingest(FingerprintKeys keys, UploadSettings settings) {
        this.keys = keys;
        this.settings = settings;
    }

    /**
     * Reads an upload to its end into the file of {@code loading}, which the caller removes if this fails.
     *
     * @throws ProblemException {@code invalid-data} with the broken rules; {@code payload-too-large}; {@code
     *     temporarily-unavailable} if the rows cannot be written, or a child process cannot work
     * @throws SenderFailure if the file cannot be read to its end
     */
    UploadReport load(Dataset dataset, SentFile sent, DatasetLoading.Loading loading) throws IOException {
        return unlessTheDiskFails(dataset, loading.root(), () -> {
            Path target = loading.file();
            List<FingerprintSecret> secrets = keys.now();
            RowFingerprint fingerprint = new RowFingerprint(
                    secrets.stream().map(FingerprintSecret::rowsKey).toList());
            FileReading reading = new FileReading(dataset, sent, settings, fingerprint);
            try (RowsFileWriter writer = new RowsFileWriter(dataset.shape(), target)) {
                long stored = switch (dataset.privacyUnit()) {
                    case PrivacyUnit.Row row -> storeAll(reading, target, writer, loading);
                    case PrivacyUnit.Column unit -> storeBounded(reading, unit, dataset, target, writer, loading);
                };
                byte[] rowsDigest = writer.finish();
                return new UploadReport(
                        reading.rowsRead(),
                        stored,
                        reading.clamped(),
                        reading.substituted(),
                        reading.digest(),
                        rowsDigest,
                        fingerprints(secrets, fingerprint.fingerprints()));
            }
        });
    }

    private static List<Fingerprint> fingerprints(List<FingerprintSecret> secrets, List<String> computed) {
        return IntStream.range(0, computed.size())
                .mapToObj(i -> secrets.get(i).fingerprint(computed.get(i)))
                .toList();
    }

    /**
     * Reads a file to its end as {@link #load} does, and keeps nothing of it.
     *
     * @param check gives a folder for temporary files; the caller closes it
     * @throws ProblemException as {@link #load}, except {@code invalid-data}
     * @throws SenderFailure if the file cannot be read to its end
     */
    CheckReport check(Dataset dataset, SentFile sent, DatasetLoading.Check check) throws IOException {
        return unlessTheDiskFails(dataset, check.root(), () -> {
            FileReading reading = new FileReading(dataset, sent, settings, null);
            reading.forEach(check.folder().resolve("parquet"), row -> {});
            InvalidData errors = reading.errors();
            return new CheckReport(
                    reading.rowsRead(), reading.clamped(), reading.substituted(), errors.listed(), errors.more());
        });
    }

    @FunctionalInterface
    private interface Work<T> {
        T run() throws IOException;
    }

    /** @param folder the folder that the work writes to */
    private static <T> T unlessTheDiskFails(Dataset dataset, Path folder, Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (SenderFailure failure) {
            throw failure;
        } catch (IOException failure) {
            LOG.error(
                    "the upload to dataset {} could not be stored in {}, which PURSER_DATA names, or else PURSER_HOME:"
                            + " {}",
                    dataset.id(),
                    folder,
                    reason(failure));
            throw ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "The upload could not be stored.");
        }
    }

    /**
     * The system's message about a full disk. For other failures the class alone, because a message may contain a
     * value.
     */
    static String reason(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return FULL.stream()
                .filter(message::contains)
                .findFirst()
                .orElse(failure.getClass().getName());
    }

    private static long storeAll(
            FileReading reading, Path target, RowsFileWriter writer, DatasetLoading.Loading loading)
            throws IOException {
        read(reading, target, loading, rows -> writer.add(rows.values()));
        return reading.rowsRead();
    }

    private static long storeBounded(
            FileReading reading,
            PrivacyUnit.Column unit,
            Dataset dataset,
            Path target,
            RowsFileWriter writer,
            DatasetLoading.Loading loading)
            throws IOException {
        try (UnitBound bound = new UnitBound(dataset.shape(), unit.maxRows(), UnitBound.newSecret(), target)) {
            read(reading, target, loading, rows -> bound.add(rows.unit(), rows.unitLength(), rows.values()));
            return bound.storeRows(writer);
        }
    }

    /** Passes on the rows until a row breaks a rule, and then reads on to find further errors. */
    private static void read(
            FileReading reading, Path target, DatasetLoading.Loading loading, FileReading.RowConsumer store)
            throws IOException {
        reading.forEach(target.resolveSibling("parquet"), rows -> {
            if (rows.areSound()) {
                store.accept(rows);
            }
            if (rows.rows() % ROWS_BETWEEN_REPORTS == 0) {
                loading.rows(rows.rows());
            }
        });
        reading.errors().throwIfAny();
    }
}
