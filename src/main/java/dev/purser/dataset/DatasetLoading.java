package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;

/**
 * Takes a dataset, or each of its blocks, from registered to ready. It loads a whole upload or nothing.
 *
 * <p>The order of the steps ensures this. The rows are written to a temporary file. This file is made durable and
 * renamed. Then the rows are declared ready in one durable transaction. If we stop before the last step, the next start
 * of this instance finds the dataset or the block loading, removes its files, and declares the upload failed. Blocks
 * are loaded in any order, several at a time, and do not wait for each other.
 */
@Service
public class DatasetLoading {
    private static final Logger log = LoggerFactory.getLogger(DatasetLoading.class);

    private final Database database;
    private final DatasetFiles files;
    private final Fingerprints fingerprints;
    private final InstanceId instance;
    private final Map<RowsPart, Loading> current = new ConcurrentHashMap<>();

    /** Removes what a crash left of this instance's uploads, and logs which rows are not the loaded rows. */
    DatasetLoading(Database database, DatasetFiles files, Fingerprints fingerprints, InstanceId instance) {
        this.database = database;
        this.files = files;
        this.fingerprints = fingerprints;
        this.instance = instance;
        recover();
        compare(database.read(DatasetTable::rowsDigests));
        compare(database.read(LoadedBlocks::rowsDigests));
    }

    /** Logs the first fault of each dataset. A missing folder would otherwise give a line for each block. */
    private void compare(Map<RowsPart, String> digests) {
        Map<String, Integer> faulty = new HashMap<>();
        digests.forEach((part, digest) -> files.faultOf(part, digest).ifPresent(fault -> {
            if (faulty.merge(part.dataset(), 1, Integer::sum) == 1) {
                log.error("the rows of {} {}; they are not read", part, fault);
            }
        }));
        faulty.forEach((dataset, count) -> {
            if (count > 1) {
                log.error("so are the rows of {} other blocks of dataset {}", count - 1, dataset);
            }
        });
    }

    // The upload was not confirmed, so nothing of it stays. Its files are removed first, because another instance may
    // load the same rows as soon as they are declared failed.
    private void recover() {
        try {
            for (TornLoad torn : database.read(this::torn)) {
                files.discard(torn.part());
                fail(torn.part(), torn.account());
            }
            files.sweepTornUploads();
        } catch (IOException failure) {
            throw new UncheckedIOException("the files of an interrupted upload cannot be removed", failure);
        }
    }

    private List<TornLoad> torn(StoreConnection connection) throws SQLException {
        List<TornLoad> torn = new ArrayList<>(DatasetTable.torn(connection, instance.value()));
        torn.addAll(LoadedBlocks.torn(connection, instance.value()));
        return torn;
    }

    /**
     * Claims the dataset, or one of its blocks, for one upload, which has to be committed or abandoned.
     *
     * @param block the block of a dataset with blocks; empty without blocks
     * @throws ProblemException {@code already-exists} if there are rows, or another upload of them is being read
     */
    public Loading begin(Dataset dataset, OptionalInt block) {
        RowsPart part = part(dataset, block);
        boolean claimed = database.write(
                dataset.account(),
                transaction -> change(
                        transaction,
                        part,
                        now -> now.canBeLoaded()
                                ? new Standing(DatasetState.LOADING.label(), instance.value(), null)
                                : null));
        if (!claimed) {
            throw hasData(part);
        }
        Loading loading = new Loading(dataset, part);
        current.put(part, loading);
        return loading;
    }

    private static RowsPart part(Dataset dataset, OptionalInt block) {
        if (dataset.blocks().isPresent() != block.isPresent()) {
            throw new IllegalArgumentException("a dataset with blocks is loaded by block, another one at once");
        }
        return new RowsPart(dataset.id(), block);
    }

    private static boolean change(
            StoreConnection transaction, RowsPart part, Function<Standing, @Nullable Standing> next)
            throws SQLException {
        return part.block().isEmpty()
                ? DatasetTable.change(transaction, part.dataset(), next)
                : LoadedBlocks.change(transaction, part.dataset(), part.block().getAsInt(), next);
    }

    /**
     * Begins a check of a file. The check does not change the dataset, and has to be closed.
     *
     * @throws ProblemException {@code already-exists} where {@link #begin} would say so
     */
    public Check check(Dataset dataset, OptionalInt block) {
        RowsPart part = part(dataset, block);
        Standing now = block.isEmpty()
                ? new Standing(dataset.state().label(), null, null)
                : database.read(reader -> LoadedBlocks.standing(reader, dataset.id(), block.getAsInt()));
        if (!now.canBeLoaded()) {
            throw hasData(part);
        }
        return new Check();
    }

    private static ProblemException hasData(RowsPart part) {
        return ProblemException.of(
                ProblemType.ALREADY_EXISTS,
                part.block().isEmpty()
                        ? "the dataset has its data or is receiving it: data is uploaded once and never replaced"
                        : "the block has its data or is receiving it: each block is uploaded once and never replaced");
    }

    /** How many rows of uploads to this instance were read so far. Only the custodian may see this. */
    public Optional<Long> rowsSoFar(String id) {
        return current.entrySet().stream()
                .filter(each -> each.getKey().dataset().equals(id))
                .map(each -> each.getValue().rows)
                .reduce(Long::sum);
    }

    @EventListener
    void end(DatasetDeleted deleted) {
        current.keySet().removeIf(part -> part.dataset().equals(deleted.id()));
    }

    /** Declares the upload failed; false if the dataset was deleted meanwhile. */
    private boolean fail(RowsPart part, String account) {
        return database.write(account, transaction -> leave(transaction, part, DatasetState.FAILED, null));
    }

    private boolean leave(
            StoreConnection transaction, RowsPart part, DatasetState outcome, byte @Nullable [] rowsDigest)
            throws SQLException {
        return change(
                transaction,
                part,
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

        /** The folder of all rows. */
        public Path root() {
            return files.root();
        }

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
        private final RowsPart part;
        private volatile long rows;
        private boolean perhapsConfirmed;

        private Loading(Dataset dataset, RowsPart part) {
            this.dataset = dataset;
            this.part = part;
        }

        /** The folder of all rows. */
        public Path root() {
            return files.root();
        }

        /** The file to write, in a folder of its own that is removed at the end with all its contents. */
        public Path file() throws IOException {
            return files.upload(part);
        }

        /** Reports how many rows were read so far. */
        public void rows(long soFar) {
            rows = soFar;
        }

        /** @throws ProblemException {@code not-found} if the dataset was deleted meanwhile */
        public void requireNotDeleted() {
            if (current.get(part) != this) {
                throw deletedMeanwhile();
            }
        }

        /**
         * Turns the file into the dataset's rows, or the block's. One transaction declares them ready and assigns them
         * to the account.
         *
         * @param rowsDigest the digest of the file, which identifies it from now on
         * @param rows their fingerprints under every known secret, newest first; empty if there are no rows
         * @throws ProblemException {@code already-exists} if the rows belong to another account and are declared
         *     neither public nor other people's; {@code not-found} if the dataset was deleted meanwhile;
         *     {@code temporarily-unavailable} if an unknown secret was used meanwhile. After each of these, nothing is
         *     recorded
         */
        public void commit(byte[] rowsDigest, List<Fingerprint> rows) throws IOException {
            files.commit(part);
            perhapsConfirmed = true;
            try {
                database.write(dataset.account(), transaction -> {
                    if (!leave(transaction, part, DatasetState.READY, rowsDigest)) {
                        throw deletedMeanwhile();
                    }
                    claim(transaction, rows);
                    return dataset.id();
                });
            } catch (ProblemException refusal) {
                // With this type, the transaction may have been committed. In that case the rows must be there.
                perhapsConfirmed = refusal.type() == ProblemType.TEMPORARILY_UNAVAILABLE;
                throw refusal;
            } catch (Fingerprints.KeyMissing missing) {
                perhapsConfirmed = false;
                throw missing.problem();
            } finally {
                current.remove(part, this);
            }
        }

        /**
         * Removes all files of an upload that failed. There were no such rows before.
         *
         * @throws ProblemException {@code not-found} if the dataset was deleted meanwhile, which may be why the upload
         *     failed
         */
        public void abandon() throws IOException {
            current.remove(part, this);
            if (!perhapsConfirmed) {
                files.discard(part);
                if (!fail(part, dataset.account())) {
                    throw deletedMeanwhile();
                }
            }
        }

        private void claim(StoreConnection transaction, List<Fingerprint> rows) throws SQLException {
            boolean own = rows.isEmpty() || fingerprints.claim(transaction, rows, dataset.account());
            Registration registration = dataset.registration();
            if (!own && !registration.declaredPublic() && !registration.declaredOtherPeople()) {
                // The message does not reveal whose rows they are, or since when.
                throw ProblemException.of(
                                ProblemType.ALREADY_EXISTS,
                                "the same rows stay with one account for ever: to upload them again, register "
                                        + (dataset.blocks().isPresent() ? "" : "with sharesAccountWith, ")
                                        + "with declaredPublic if they are public or synthetic, or with"
                                        + " declaredOtherPeople if they are about other people than the equal rows")
                        .recordedAs(ProblemType.INVALID_DATA);
            }
        }
    }
}
