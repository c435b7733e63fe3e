package dev.purser.upload;

import dev.purser.admission.PlatformThread;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetLoading;
import dev.purser.dataset.Source;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Service;

/** Takes a dataset's data, all of it or nothing. The number of simultaneous uploads is limited. */
@Service
public class Uploads {
    private static final int MAX_WAIT_SECONDS = 20;

    private final DatasetLoading datasets;
    private final Ingest ingest;
    private final UploadSettings settings;
    private final Semaphore places;
    private final Counter begun;

    Uploads(DatasetLoading datasets, Ingest ingest, UploadSettings settings, MeterRegistry meters) {
        this.begun = meters.counter("purser.uploads.begun");
        this.datasets = datasets;
        this.ingest = ingest;
        this.settings = settings;
        places = new Semaphore(settings.maxConcurrent(), true);
    }

    /**
     * Reads an upload of a whole dataset or of one of its blocks to its end. If the dataset is deleted meanwhile on
     * this instance, the upload ends with the next bytes that arrive.
     *
     * @param stillPermitted throws if the sender may not upload any more; called after everything was read
     * @throws ProblemException {@code already-exists} if there are such rows or the dataset reads a table, or if, once
     *     all was read, the rows are found to be another account's; {@code validation-failed} if the dataset has blocks
     *     and the file names none; {@code payload-too-large}; {@code invalid-data}; {@code not-found} if it was deleted
     *     meanwhile; {@code temporarily-unavailable} if the rows cannot be written or too many uploads are being read
     * @throws IOException if the sender stops sending
     */
    public UploadReport take(Dataset dataset, SentFile sent, Runnable stillPermitted) throws IOException {
        return inPlace(dataset, sent, () -> load(dataset, sent, stillPermitted));
    }

    /**
     * Reads a file to its end as {@link #take} does, and tells what an upload of it would be told. No row, no
     * fingerprint and no state is kept. A check therefore does not notice that the rows are another account's.
     *
     * @param stillPermitted as for {@link #take}
     * @throws ProblemException as {@link #take}, except {@code invalid-data}
     * @throws IOException if the sender stops sending
     */
    public CheckReport check(Dataset dataset, SentFile sent, Runnable stillPermitted) throws IOException {
        return inPlace(dataset, sent, () -> {
            try (DatasetLoading.Check check = datasets.check(dataset, sent.block())) {
                SentFile bytes = sent.with(new SentBytes(sent.bytes(), () -> {}));
                CheckReport report =
                        PlatformThread.call("check-" + dataset.id(), () -> ingest.check(dataset, bytes, check));
                stillPermitted.run();
                return report;
            }
        });
    }

    @FunctionalInterface
    private interface Reading<T> {
        T run() throws IOException;
    }

    private <T> T inPlace(Dataset dataset, SentFile sent, Reading<T> reading) throws IOException {
        if (dataset.registration().source() instanceof Source.Table) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS, "the dataset reads the rows of a table: no rows can be put");
        }
        requirePart(dataset, sent);
        if (sent.format() == UploadFormat.PARQUET
                && sent.announcedBytes() > settings.maxFile().toBytes()) {
            throw FileReading.tooLarge(settings);
        }
        takePlace();
        try {
            return reading.run();
        } catch (SenderFailure failure) {
            throw failure.cause();
        } finally {
            places.release();
        }
    }

    private static void requirePart(Dataset dataset, SentFile sent) {
        if (dataset.blocks().isPresent() && sent.block().isEmpty()) {
            String blocks = "/v1/datasets/" + dataset.id() + "/blocks/";
            String first = dataset.blocks().orElseThrow().label(0);
            throw ProblemException.validation(Violation.ofParameter(
                    "id",
                    "the dataset has blocks: put the rows of each to " + blocks + "{label}/data, such as " + blocks
                            + first + "/data"));
        }
    }

    private void takePlace() {
        try {
            if (places.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE, "too many uploads are being read; send it again later")
                .retryAfter(Duration.ofSeconds(MAX_WAIT_SECONDS));
    }

    private UploadReport load(Dataset dataset, SentFile sent, Runnable stillPermitted) throws IOException {
        DatasetLoading.Loading loading = datasets.begin(dataset, sent.block());
        begun.increment();
        try {
            SentFile bytes = sent.with(new SentBytes(sent.bytes(), loading::requireNotDeleted));
            UploadReport report =
                    PlatformThread.call("upload-" + dataset.id(), () -> ingest.load(dataset, bytes, loading));
            stillPermitted.run();
            loading.commit(report.rowsDigest(), report.fingerprints());
            return report;
        } catch (IOException | RuntimeException | Error failure) {
            loading.abandon();
            throw failure;
        }
    }

    /**
     * The bytes of a request. Its failures are distinguished from failures of the disk, and it ends when the bytes are
     * not wanted any more.
     */
    private static final class SentBytes extends FilterInputStream {
        private final Runnable requireWanted;

        private SentBytes(InputStream request, Runnable requireWanted) {
            super(request);
            this.requireWanted = requireWanted;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read;
            try {
                read = super.read(into, offset, length);
            } catch (IOException failure) {
                throw new SenderFailure(failure);
            }
            requireWanted.run();
            return read;
        }
    }
}
