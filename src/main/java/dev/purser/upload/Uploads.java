package dev.purser.upload;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetLoading;
import dev.purser.dataset.Source;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Takes a dataset's data, all of it or nothing, a limited number of uploads at a time. */
@Service
public class Uploads {
    private static final int MAX_WAIT_SECONDS = 20;

    private final DatasetLoading datasets;
    private final Ingest ingest;
    private final UploadSettings settings;
    private final Semaphore places;

    Uploads(DatasetLoading datasets, Ingest ingest, UploadSettings settings) {
        this.datasets = datasets;
        this.ingest = ingest;
        this.settings = settings;
        places = new Semaphore(settings.maxConcurrent(), true);
    }

    /**
     * Reads an upload to its end. A dataset that is deleted meanwhile on this instance ends its upload with the next
     * bytes that arrive.
     *
     * @param announcedBytes how many there will be; negative if that is not known
     * @param expectedSha256 the digest that the sender announced, if any
     * @param stillPermitted throws if the sender may not put it any more; called once all was read
     * @throws ProblemException {@code already-exists} if the dataset has data or reads a table, or if, once all was
     *     read, the rows are found to be another account's; {@code payload-too-large}; {@code invalid-data}; {@code
     *     not-found} if it was deleted meanwhile; {@code temporarily-unavailable} if the rows cannot be written or too
     *     many uploads are being read
     * @throws IOException if the sender stops sending
     */
    public UploadReport take(
            Dataset dataset,
            UploadFormat format,
            InputStream bytes,
            long announcedBytes,
            byte @Nullable [] expectedSha256,
            Runnable stillPermitted)
            throws IOException {
        if (dataset.registration().source() instanceof Source.Table) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS, "the dataset's rows are those of a table: none can be put");
        }
        if (format == UploadFormat.PARQUET
                && announcedBytes > settings.maxFile().toBytes()) {
            throw ingest.tooLarge();
        }
        takePlace();
        try {
            return take(dataset, format, bytes, expectedSha256, stillPermitted);
        } catch (SenderFailure failure) {
            throw failure.cause();
        } finally {
            places.release();
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
                .withHeader("Retry-After", Integer.toString(MAX_WAIT_SECONDS));
    }

    private UploadReport take(
            Dataset dataset,
            UploadFormat format,
            InputStream bytes,
            byte @Nullable [] expectedSha256,
            Runnable stillPermitted)
            throws IOException {
        DatasetLoading.Loading loading = datasets.begin(dataset);
        try {
            InputStream sent = new SentBytes(bytes, loading);
            UploadReport report = PlatformThread.call(
                    "upload-" + dataset.id(), () -> ingest.load(dataset, format, sent, expectedSha256, loading));
            stillPermitted.run();
            loading.commit(report.fingerprint());
            return report;
        } catch (IOException | RuntimeException | Error failure) {
            loading.abandon();
            throw failure;
        }
    }

    /**
     * The bytes of a request. Its failures are told apart from those of the disk, and it ends when the dataset is
     * deleted.
     */
    private static final class SentBytes extends FilterInputStream {
        private final DatasetLoading.Loading loading;

        private SentBytes(InputStream request, DatasetLoading.Loading loading) {
            super(request);
            this.loading = loading;
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
            loading.requireNotDeleted();
            return read;
        }
    }
}
