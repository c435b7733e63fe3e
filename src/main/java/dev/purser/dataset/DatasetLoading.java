package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;

/**
 * Takes a dataset from registered to ready, with the whole upload or with nothing.
 *
 * <p>The order of the steps ensures this. The rows go to a temporary file; that file is made durable and renamed; then
 * the dataset is declared ready in one durable transaction. If we stop before the last step, the next start of this
 * instance finds the dataset loading, removes its files, and declares the upload failed.
 */
@Service
public class DatasetLoading {
    private static final Logger log = LoggerFactory.getLogger(DatasetLoading.class);

    private final Database database;
    private final DatasetFiles files;
    private final Fingerprints fingerprints;
    private final InstanceId instance;
    private final Map<String, Loading> current = new ConcurrentHashMap<>();

    /** Removes what a crash left of this instance's uploads, and logs which rows are not those that were loaded. */
    DatasetLoading(Database database, DatasetFiles files, Fingerprints fingerprints, InstanceId instance) {
        this.database = database;
        this.files = files;
        this.fingerprints = fingerprints;
        this.instance = instance;
        recover();
        database.read(DatasetTable::rowsDigests).forEach((id, digest) -> {
            if (!files.isAsLoaded(id, digest)) {
                log.error("the rows of dataset {} are not those that it was loaded with; they are not read", id);
            }
        });
    }

    // The upload was not confirmed, so nothing of it stays. Its files are removed first, because another instance may
    // load the dataset as soon as it is declared failed.
    private void recover() {
        try {
            for (Torn torn : database.read(this::torn)) {
                files.delete(torn.id());
                fail(torn.id(), torn.account());
            }
            files.sweepTornUploads();
        } catch (IOException failure) {
            throw new UncheckedIOException("the files of an interrupted upload cannot be removed", failure);
        }
    }

    private record Torn(String id, String account) {}

    private List<Torn> torn(StoreConnection connection) throws SQLException {
        return connection.all(
                "SELECT id, account FROM dataset WHERE state = 'loading' AND loaded_by = ?",
                row -> new Torn(row.getString(1), row.getString(2)),
                instance.value());
    }

    /**
     * Claims the dataset for one upload, which has to be committed or abandoned.
     *
     * @throws ProblemException {@code already-exists} if it has data, or another upload is being read
     */
    public Loading begin(Dataset dataset) {
        boolean claimed = database.write(
                dataset.account(),
                transaction -> DatasetTable.change(
                        transaction,
                        dataset.id(),
                        now -> now.is(DatasetState.REGISTERED) || now.is(DatasetState.FAILED)
                                ? new Standing(DatasetState.LOADING.label(), instance.value(), null)
                                : null));
        if (!claimed) {
            throw hasData();
        }
        Loading loading = new Loading(dataset);
        current.put(dataset.id(), loading);
        return loading;
    }

    /**
     * Begins a check of a file, which changes nothing of the dataset, and which has to be closed.
     *
     * @throws ProblemException {@code already-exists} where {@link #begin} would say so
     */
    public Check check(Dataset dataset) {
        return switch (dataset.state()) {
            case REGISTERED, FAILED -> new Check();
            case LOADING, READY, DELETED -> throw hasData();
        };
    }

    private static ProblemException hasData() {
        return ProblemException.of(
                ProblemType.ALREADY_EXISTS,
                "the dataset has its data or is receiving it: data is uploaded once and never replaced");
    }

    /** How many rows of an upload to this instance were read so far; for the custodian only. */
    public Optional<Long> rowsSoFar(String id) {
        return Optional.ofNullable(current.get(id)).map(loading -> loading.rows);
    }

    @EventListener
    void end(DatasetDeleted deleted) {
        current.remove(deleted.id());
    }

    /** Declares the upload failed; false if the dataset was deleted meanwhile. */
    private boolean fail(String id, String account) {
        return database.write(account, transaction -> leave(transaction, id, DatasetState.FAILED, null));
    }

    private boolean leave(StoreConnection transaction, String id, DatasetState outcome, byte @Nullable [] rowsDigest)
            throws SQLException {
        return DatasetTable.change(
                transaction,
                id,
                now -> now.is(DatasetState.LOADING) && instance.value().equals(now.loadedBy())
                        ? new Standing(outcome.label(), now.loadedBy(), rowsDigest)
                        : null);
    }

    private static ProblemException deletedMeanwhile() {
        return ProblemException.of(ProblemType.NOT_FOUND, "the dataset was deleted during the upload");
    }

    /** One check in progress. */
    public final class Check implements AutoCloseable {
        private @Nullable Path folder;

        private Check() {}

        /** A folder for temporary files. */
        public Path folder() throws IOException {
            folder = files.check();
            return folder;
        }

        @Override
        public void close() throws IOException {
            if (folder != null) {
                files.discardCheck(folder);
            }
        }
    }

    /** One upload in progress. */
    public final class Loading {
        private final Dataset dataset;
        private volatile long rows;
        private boolean perhapsConfirmed;

        private Loading(Dataset dataset) {
            this.dataset = dataset;
        }

        /** The file to write, in a folder of its own that is removed at the end with all its contents. */
        public Path file() throws IOException {
            return files.upload(dataset.id());
        }

        /** Reports how many rows were read so far. */
        public void rows(long soFar) {
            rows = soFar;
        }

        /** @throws ProblemException {@code not-found} if the dataset was deleted meanwhile */
        public void requireNotDeleted() {
            if (current.get(dataset.id()) != this) {
                throw deletedMeanwhile();
            }
        }

        /**
         * Turns the file into the dataset's rows. One transaction declares the dataset ready and assigns its rows to
         * its account.
         *
         * @param rowsDigest the digest of the file, by which it is known from now on
         * @param rows their fingerprints under every known secret, newest first; empty if there are no rows
         * @throws ProblemException {@code already-exists} if the rows belong to another account and are not declared
         *     public; {@code not-found} if the dataset was deleted meanwhile; {@code temporarily-unavailable} if a
         *     secret was used meanwhile that was not known before. Nothing is recorded then
         */
        public void commit(byte[] rowsDigest, List<Fingerprint> rows) throws IOException {
            files.commit(dataset.id());
            perhapsConfirmed = true;
            try {
                database.write(dataset.account(), transaction -> {
                    if (!leave(transaction, dataset.id(), DatasetState.READY, rowsDigest)) {
                        throw deletedMeanwhile();
                    }
                    claim(transaction, rows);
                    return dataset.id();
                });
            } catch (ProblemException refusal) {
                // If the outcome of the transaction is unknown, it may be found committed, and the rows must be there
                // then.
                perhapsConfirmed = refusal.type() == ProblemType.TEMPORARILY_UNAVAILABLE;
                throw refusal;
            } catch (Fingerprints.KeyMissing missing) {
                perhapsConfirmed = false;
                throw missing.problem();
            } finally {
                current.remove(dataset.id(), this);
            }
        }

        /**
         * Removes all files of an upload that failed. The dataset had no rows before.
         *
         * @throws ProblemException {@code not-found} if the dataset was deleted meanwhile, which may be why the upload
         *     failed
         */
        public void abandon() throws IOException {
            current.remove(dataset.id(), this);
            if (!perhapsConfirmed) {
                files.delete(dataset.id());
                if (!fail(dataset.id(), dataset.account())) {
                    throw deletedMeanwhile();
                }
            }
        }

        private void claim(StoreConnection transaction, List<Fingerprint> rows) throws SQLException {
            boolean own = rows.isEmpty() || fingerprints.claim(transaction, rows, dataset.account());
            if (!own && !dataset.registration().declaredPublic()) {
                // The message does not reveal whose rows they are, or since when.
                throw ProblemException.of(
                                ProblemType.ALREADY_EXISTS,
                                "the same rows stay with one account for ever: to upload them again, register with"
                                        + " sharesAccountWith, or with declaredPublic if they are public or synthetic")
                        .recordedAs(ProblemType.INVALID_DATA);
            }
        }
    }
}
