package dev.purser.dataset;

import dev.purser.journal.Chain;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.privacy.BlockWindow;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the table of the blocks that uploads load. A row is used as the journal recorded it last. The
 * exception is {@link #ready}, which decides refusals only: a block that is made to seem ready has no rows that are
 * read, because its digest is compared.
 */
final class LoadedBlocks {
    /** A block. */
    static final String COLUMNS =
            "SELECT b.dataset_id, b.block, b.state, b.loaded_by, b.rows_digest FROM dataset_block b ";

    private static final String ONE = COLUMNS + "WHERE b.dataset_id = ? AND b.block = ?";

    private static final String INSERT = "INSERT INTO dataset_block (state, loaded_by, rows_digest, dataset_id, block)"
            + " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

    private static final String MOVE = "UPDATE dataset_block SET state = ?, loaded_by = ?, rows_digest = ?"
            + " WHERE dataset_id = ? AND block = ? AND state = ? AND loaded_by = ?";

    /** Neighbouring blocks have the same difference between block and rank. */
    private static final String RUNS = """
            SELECT min(block), max(block) FROM (
                SELECT block, block - row_number() OVER (ORDER BY block) AS run
                FROM dataset_block WHERE dataset_id = ? AND state = 'ready') ranked
            GROUP BY run ORDER BY min(block)
            """;

    private static final String READY =
            "SELECT b.dataset_id, b.block, b.rows_digest FROM dataset_block b JOIN dataset d ON d.id = b.dataset_id"
                    + " WHERE b.state = 'ready' AND d.state = 'ready' ";

    /** A block whose load never began. */
    private static final Standing NEVER = new Standing(DatasetState.REGISTERED.label(), null, null);

    private LoadedBlocks() {}

    private record Found(Standing standing, JournaledRow row) {}

    private static Optional<Found> find(StoreConnection reader, String id, int block) throws SQLException {
        return reader.first(
                ONE,
                row -> new Found(
                        new Standing(row.getString(3), row.getString(4), row.getBytes(5)),
                        JournaledDatasets.block(row)),
                id,
                block);
    }

    /**
     * Changes what a block is. The update locks the row as it was read, unless another instance changed it meanwhile;
     * the row is compared with the journal after that.
     *
     * @param next what it is to be; null to leave it
     * @return whether it was changed; not if its dataset was deleted
     */
    static boolean change(
            StoreConnection transaction, String id, int block, Function<Standing, @Nullable Standing> next)
            throws SQLException {
        while (true) {
            Optional<ListedDataset> dataset = DatasetTable.findListed(transaction, id);
            Optional<Found> now = find(transaction, id, block);
            Standing to = next.apply(now.map(Found::standing).orElse(NEVER));
            if (dataset.isEmpty() || to == null) {
                return false;
            }
            if (write(transaction, id, block, now, to)) {
                new Journal(transaction)
                        .record(
                                Chain.ofAccount(dataset.orElseThrow().account()),
                                find(transaction, id, block).orElseThrow().row());
                return true;
            }
        }
    }

    private static boolean write(StoreConnection transaction, String id, int block, Optional<Found> now, Standing to)
            throws SQLException {
        Journal journal = new Journal(transaction);
        if (now.isEmpty()) {
            if (transaction.update(INSERT, to.state(), to.loadedBy(), to.rowsDigest(), id, block) == 0) {
                return false;
            }
            journal.requireNever(JournaledDatasets.blockOf(id, block));
            return true;
        }
        Standing from = now.orElseThrow().standing();
        if (transaction.update(
                        MOVE, to.state(), to.loadedBy(), to.rowsDigest(), id, block, from.state(), from.loadedBy())
                == 0) {
            return false;
        }
        journal.require(now.orElseThrow().row());
        return true;
    }

    /** What a block is. */
    static Standing standing(StoreConnection reader, String id, int block) throws SQLException {
        Optional<Found> found = find(reader, id, block);
        Journal journal = new Journal(reader);
        if (found.isEmpty()) {
            journal.requireNever(JournaledDatasets.blockOf(id, block));
            return NEVER;
        }
        journal.require(found.orElseThrow().row());
        return found.orElseThrow().standing();
    }

    /** The blocks of a dataset that are loaded. They are not compared with the journal, which would take long. */
    static ReadyBlocks ready(StoreConnection reader, String id) throws SQLException {
        return new ReadyBlocks(reader.all(RUNS, row -> new BlockWindow(row.getInt(1), row.getInt(2)), id));
    }

    /** The digest of the file of each block that is loaded, of all datasets. */
    static Map<RowsPart, String> rowsDigests(StoreConnection reader) throws SQLException {
        return digests(reader, READY);
    }

    /** The digest of the file of each block of a dataset that is loaded. */
    static Map<RowsPart, String> rowsDigests(StoreConnection reader, String id) throws SQLException {
        return digests(reader, READY + "AND b.dataset_id = ?", id);
    }

    private static Map<RowsPart, String> digests(StoreConnection reader, String sql, Object... parameters)
            throws SQLException {
        Map<RowsPart, String> found = new LinkedHashMap<>();
        reader.each(
                sql,
                row -> found.put(
                        RowsPart.of(row.getString(1), row.getInt(2)),
                        HexFormat.of().formatHex(row.getBytes(3))),
                parameters);
        return found;
    }

    /** The loads that an instance began and did not end, with the accounts of their datasets. */
    static List<TornLoad> torn(StoreConnection reader, String instance) throws SQLException {
        return reader.all(
                "SELECT b.dataset_id, b.block, d.account FROM dataset_block b JOIN dataset d ON d.id = b.dataset_id"
                        + " WHERE b.state = 'loading' AND d.state = 'ready' AND b.loaded_by = ?",
                row -> new TornLoad(RowsPart.of(row.getString(1), row.getInt(2)), row.getString(3)),
                instance);
    }
}
