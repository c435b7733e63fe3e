package dev.purser.dataset;

import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.dataset.ingest.IngestReport;
import dev.purser.dataset.ingest.Upload;
import dev.purser.dataset.ingest.UploadParser;
import dev.purser.dataset.parser.UploadFormat;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;

/** Takes a dataset's data, all of it or nothing. */
@Service
public class DatasetUploads {
    private final DatasetCatalog catalog;
    private final DatasetFiles files;
    private final CsvIngest ingest;
    private final UploadParser parser;
    /** Of each upload that goes on, how many rows were read. */
    private final Map<String, AtomicLong> rowsSoFar = new ConcurrentHashMap<>();

    private final AtomicInteger taking = new AtomicInteger();

    public DatasetUploads(DatasetCatalog catalog, DatasetFiles files, CsvIngest ingest, UploadParser parser) {
        this.parser = parser;
        this.catalog = catalog;
        this.files = files;
        this.ingest = ingest;
    }

    /**
     * Reads an upload to its end.
     *
     * <p>The order is what makes it all or nothing: the rows go to a file of another name, that file is
     * made durable, then renamed, then the dataset is declared ready in one durable transaction. If we stop anywhere before the last step, this
     * instance's next start finds the dataset loading, removes what there is, and declares the upload failed.
     *
     * <p>A dataset that is deleted meanwhile on this instance ends its upload with the next bytes that arrive.
     *
     * @param announcedBytes how many there will be; negative if that is not known
     * @param expectedSha256 the digest the sender announced, if any
     * @param stillPermitted throws if the sender may not put it any more; asked once all was read
     * @throws ProblemException {@code already-exists} if the dataset has data or reads a table, or if, once all was read, the rows
     *     are found to be another account's; {@code payload-too-large}; {@code invalid-data}; {@code not-found} if it was deleted meanwhile; {@code temporarily-unavailable} if the rows cannot be
     *     written, or this host cannot parse them safely
     * @throws IOException if the sender stops sending
     */
    public IngestReport take(
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
        parser.requireAvailable();
        ingest.requireNotTooLarge(format, announcedBytes);
        catalog.beginLoading(dataset.id());
        AtomicLong rows = new AtomicLong();
        rowsSoFar.put(dataset.id(), rows);
        Upload upload = new Upload(format, new WhileLoading(dataset.id(), rows, bytes), expectedSha256, rows::set);
        IngestReport report;
        taking.incrementAndGet();
        try {
            report = ingest.load(dataset, upload, files.upload(dataset.id()));
            stillPermitted.run();
            files.commit(dataset.id());
        } catch (IOException | RuntimeException | Error failure) {
            if (!abandoned(dataset.id())) {
                throw DatasetCatalog.deletedMeanwhile();
            }
            throw failure;
        } finally {
            taking.decrementAndGet();
            // By now there may be that of another, which came after this one failed.
            rowsSoFar.remove(dataset.id(), rows);
        }
        confirm(dataset, report);
        return report;
    }

    /**
     * How many rows were read so far of an upload that this instance is taking: nearly, and for the custodian only. Nothing if
     * there is none.
     */
    public Optional<Long> rowsSoFar(String id) {
        return Optional.ofNullable(rowsSoFar.get(id)).map(AtomicLong::get);
    }

    /** Whether no upload is being taken right now. */
    boolean areIdle() {
        return taking.get() == 0;
    }

    /** Whoever is sending its rows need not go on. */
    @EventListener
    void end(DatasetDeleted deleted) {
        rowsSoFar.remove(deleted.id());
    }

    /** The bytes of an upload, for as long as it goes on. */
    private final class WhileLoading extends FilterInputStream {
        private final String id;
        private final AtomicLong rows;

        private WhileLoading(String id, AtomicLong rows, InputStream bytes) {
            super(bytes);
            this.id = id;
            this.rows = rows;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            requireLoading();
            return next;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            int read = super.read(into, from, count);
            requireLoading();
            return read;
        }

        private void requireLoading() {
            if (rowsSoFar.get(id) != rows) {
                throw DatasetCatalog.deletedMeanwhile();
            }
        }
    }

    private void confirm(Dataset dataset, IngestReport report) throws IOException {
        try {
            catalog.confirmLoading(dataset, report.fingerprint());
        } catch (ProblemException refusal) {
            // A transaction that was not confirmed may yet be found done: then the rows must be there.
            if (refusal.type() != ProblemType.TEMPORARILY_UNAVAILABLE) {
                abandoned(dataset.id());
            }
            throw refusal;
        }
    }

    /**
     * Removes what there is of an upload that failed: the dataset had no rows before, so that is all of its folder. False if
     * the dataset was deleted meanwhile, which may be why the upload failed.
     */
    private boolean abandoned(String id) throws IOException {
        files.delete(id);
        return catalog.endLoading(id);
    }
}
