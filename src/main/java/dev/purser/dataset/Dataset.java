package dev.purser.dataset;

import dev.purser.http.ReadFromRows;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.rows.RowsShape;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A registered dataset: the public facts that determine which questions it permits and what they are charged. Apart
 * from the state, nothing here depends on the data.
 *
 * @param registration what its custodian declared
 * @param registrationDigest SHA-256 of the bytes that were sent, in hexadecimal
 * @param account the ledger account that its questions are charged to: its own id, or the account of the dataset that
 *     it shares an account with
 * @param state depends on the rows if an upload fails: {@link DatasetState#shownTo}
 * @param custodian the principal that registered it
 * @param rowsDigest the digest that its {@link dev.purser.rows.RowsFile} has to have; null if it has no file
 * @param ready the blocks that can be asked about
 * @param rows its row alone: its registration never changes, and a block that was loaded stays
 */
public record Dataset(
        Registration registration,
        String registrationDigest,
        String account,
        DatasetState state,
        String custodian,
        Instant registeredAt,
        @Nullable String rowsDigest,
        ReadyBlocks ready,
        Map<String, Long> rows)
        implements ReadFromRows {

    public String id() {
        return registration.id();
    }

    public PrivacyUnit privacyUnit() {
        return registration.privacyUnit();
    }

    /** The most rows that the dataset, or each of its blocks, may hold; public. */
    public long maxRows() {
        return registration.maxRows();
    }

    /** The columns in the order of registration. A column is stored under its position. */
    public List<Column> columns() {
        return registration.columns();
    }

    /** What its file of rows states and can contain; public. */
    public RowsShape shape() {
        return new RowsShape(
                id(),
                registrationDigest,
                columns().stream().map(Column::range).toList(),
                privacyUnit() instanceof PrivacyUnit.Column);
    }

    /** The column with this name. */
    public Optional<Column> column(String name) {
        return columns().stream().filter(column -> column.name().equals(name)).findFirst();
    }

    /** The blocks that its rows are divided into; empty if they are not divided. */
    public Optional<Blocks> blocks() {
        return registration.blocks().map(BlockDivision::blocks);
    }

    /** The column that divides its rows into blocks; empty if they are not divided. */
    public Optional<BlockColumn> blockColumn() {
        return blocks().map(blocks -> switch (column(blocks.column()).orElseThrow()) {
            case Column.Numeric numeric -> new BlockColumn(numeric, blocks);
            case Column.Category category -> throw new IllegalStateException("categories have no order");
        });
    }

    /** The dataset without its other blocks, for a question about these blocks. */
    public Dataset part(BlockWindow window) {
        return new Dataset(
                registration.part(window),
                registrationDigest,
                account,
                state,
                custodian,
                registeredAt,
                rowsDigest,
                ReadyBlocks.NONE,
                rows);
    }

    /** The dataset as it was when these were its newest ready blocks. */
    public Dataset asOf(BlockWindow newest) {
        return new Dataset(
                registration,
                registrationDigest,
                account,
                state,
                custodian,
                registeredAt,
                rowsDigest,
                new ReadyBlocks(List.of(newest)),
                rows);
    }

    /** The neighbouring relation and privacy unit under which every sensitivity and guarantee is stated. */
    public Neighborhood neighborhood() {
        return new Neighborhood(registration.neighboringRelation(), registration.privacyUnit());
    }
}
