package dev.purser.dataset;

import dev.purser.dataset.JournaledDatasets.StoredBlock;
import dev.purser.journal.Chain;
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

import static dev.purser.dataset.JournaledDatasets.BLOCKS;

/**
 * Reads and writes the table of the blocks that uploads load. A row is used only as the journal recorded it last. The
 * exception is {@link #ready}, which decides only refusals. If somebody makes a block seem ready, its rows are still
 * not read, because its digest is compared.
 */
final class LoadedBlocks {
    /** Neighbouring blocks have the same difference between the block's number and its rank. */
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

    /**
     * Changes the standing of a block.
     *
     * @param next makes the new standing; null to leave it as it is
     * @return whether it was changed; false if its dataset was deleted
     */
    static boolean change(
            StoreConnection transaction, String id, int block, Function<Standing, @Nullable Standing> next)
            throws SQLException {
        Optional<ListedDataset> dataset = DatasetTable.findListed(transaction, id);
        Function<Standing, @Nullable StoredBlock> stored = now -> {
            Standing to = next.apply(now);
            return dataset.isEmpty() || to == null ? null : new StoredBlock(id, block, to);
        };
        if (BLOCKS.find(transaction, id, block).isPresent()) {
            return BLOCKS.change(transaction, now -> stored.apply(now.standing()), id, block)
                    .isPresent();
        }
        StoredBlock first = stored.apply(NEVER);
        if (first != null) {
            BLOCKS.insert(transaction, Chain.ofAccount(dataset.orElseThrow().account()), first);
        }
        return first != null;
    }

    /** The standing of a block. */
    static Standing standing(StoreConnection reader, String id, int block) throws SQLException {
        return BLOCKS.find(reader, id, block).map(StoredBlock::standing).orElse(NEVER);
    }

    /** The loaded blocks of a dataset. They are not compared with the journal, because this would take long. */
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

    /** The uploads that an instance began and did not finish, with the accounts of their datasets. */
    static List<TornLoad> torn(StoreConnection reader, String instance) throws SQLException {
        return reader.all(
                "SELECT b.dataset_id, b.block, d.account FROM dataset_block b JOIN dataset d ON d.id = b.dataset_id"
                        + " WHERE b.state = 'loading' AND d.state = 'ready' AND b.loaded_by = ?",
                row -> new TornLoad(RowsPart.of(row.getString(1), row.getInt(2)), row.getString(3)),
                instance);
    }
}
