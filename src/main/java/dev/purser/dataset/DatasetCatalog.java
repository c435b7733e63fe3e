package dev.purser.dataset;

import dev.purser.access.Principal;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import io.micrometer.core.instrument.Metrics;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Looks up registered datasets. {@link VisibleDatasets} decides who may see them. */
@Service
public class DatasetCatalog {
    /** The meter that counts the questions and quotes whose rows could not be reached or read, for all datasets. */
    public static final String UNREADABLE = "purser.rows.unreadable";

    private final Database database;
    private final DatasetTable table;
    private final DatasetFiles files;
    private final TableSources tables;

    DatasetCatalog(Database database, DatasetTable table, DatasetFiles files, TableSources tables) {
        this.database = database;
        this.table = table;
        this.files = files;
        this.tables = tables;
    }

    /**
     * The dataset with this id.
     *
     * @throws ProblemException {@code not-found} if there is none, or it was deleted
     */
    Dataset require(String id) {
        Dataset dataset = requireEvenDeleted(id);
        if (dataset.state() == DatasetState.DELETED) {
            throw notFound();
        }
        return dataset;
    }

    /**
     * The dataset with this id, deleted or not. The books of a deleted dataset stay readable.
     *
     * @throws ProblemException {@code not-found} if there never was such a dataset
     */
    Dataset requireEvenDeleted(String id) {
        return table.find(database, id).orElseThrow(DatasetCatalog::notFound);
    }

    /**
     * The dataset with this id, with data to ask about.
     *
     * @throws ProblemException {@code not-found}, {@code dataset-not-ready} before its upload succeeded, or
     *     {@code temporarily-unavailable} if this instance cannot reach its rows
     */
    public Dataset requireReady(String id) {
        Dataset dataset = require(id);
        if (dataset.state() != DatasetState.READY) {
            // Every state has the same text, because the rows decide whether an upload failed.
            throw ProblemException.of(
                    ProblemType.DATASET_NOT_READY, "the dataset is not ready: it has no data to ask about yet");
        }
        return requireReachable(dataset);
    }

    /** As {@link #requireReady}, for a dataset that is ready. */
    Dataset requireReachable(Dataset dataset) {
        boolean reachable = switch (dataset.registration().source()) {
            case Source.Upload upload -> isPresent(dataset);
            case Source.Table source -> tables.isConnected(source);
        };
        if (!reachable) {
            Metrics.counter(UNREADABLE).increment();
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "this instance cannot reach the dataset's rows; nothing was charged, ask again later");
        }
        return dataset;
    }

    /**
     * Whether the rows are here. For a dataset with blocks, only the newest loaded block is checked, if there is one.
     */
    private boolean isPresent(Dataset dataset) {
        if (dataset.blocks().isEmpty()) {
            return files.isPresent(RowsPart.all(dataset.id()));
        }
        return dataset.ready()
                .latest(1)
                .map(newest -> files.isPresent(RowsPart.of(dataset.id(), newest.first())))
                .orElse(true);
    }

    /**
     * The digest of the file of a block's rows, as it was recorded when they were loaded; empty if they were not
     * loaded.
     *
     * @throws ProblemException {@code internal-error} if it is not what the journal recorded
     */
    public Optional<String> rowsDigest(Dataset dataset, int block) {
        return Optional.ofNullable(database.read(reader -> LoadedBlocks.standing(reader, dataset.id(), block))
                        .rowsDigest())
                .map(HexFormat.of()::formatHex);
    }

    /** Why the rows here are not the rows that the dataset was loaded with, as a sentence; empty if they are. */
    public Optional<String> faultOfRows(Dataset dataset) {
        if (dataset.blocks().isEmpty()) {
            return faultOf(RowsPart.all(dataset.id()), dataset.rowsDigest());
        }
        return database.read(reader -> LoadedBlocks.rowsDigests(reader, dataset.id())).entrySet().stream()
                .flatMap(loaded -> faultOf(loaded.getKey(), loaded.getValue()).stream())
                .findFirst();
    }

    private Optional<String> faultOf(RowsPart part, @Nullable String digest) {
        return files.faultOf(part, digest).map(fault -> "the rows of " + part + " " + fault);
    }

    static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such dataset");
    }

    /** Whether this principal may change the dataset with this id, deleted or not. */
    boolean isOwn(Principal principal, String id) {
        return DatasetTable.OWNED.isOwn(database, principal, id);
    }

    /** The datasets whose id comes after {@code after} in this order, without deleted ones. */
    List<ListedDataset> list(Order order, String after, int limit) {
        return database.read(connection -> DatasetTable.listed(connection, order, after, limit));
    }

    /**
     * The datasets whose id comes after {@code after} in this order and that the principal was granted by id or
     * registered.
     */
    List<ListedDataset> list(Principal principal, Order order, String after, int limit) {
        return database.read(connection -> DatasetTable.OWNED.list(
                connection, principal, principal.datasets(), order, after, limit, DatasetTable::findListed));
    }
}
