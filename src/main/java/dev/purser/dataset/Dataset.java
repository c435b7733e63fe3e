package dev.purser.dataset;

import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyUnit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A registered dataset: the public facts that fix what a question may ask and what its answer costs. Nothing here is read
 * off the data.
 *
 * @param id also the name of its ledger account, unless it shares another's
 * @param account the ledger account its questions are charged to
 * @param columns in the order of registration; the position is the column's storage name
 * @param maxRows the most rows it may hold; public
 * @param accountant the name of the accountant that composes its charges
 * @param declaredPublic whether the custodian declared the rows public or synthetic
 * @param custodian the principal that registered it
 */
public record Dataset(
        String id,
        @Nullable String title,
        String account,
        List<Column> columns,
        PrivacyUnit privacyUnit,
        NeighboringRelation neighboringRelation,
        long maxRows,
        String accountant,
        boolean declaredPublic,
        DatasetState state,
        String custodian,
        Instant registeredAt) {
    public Dataset {
        columns = List.copyOf(columns);
    }

    /** The column of this name. */
    public Optional<Column> column(String name) {
        return columns.stream().filter(column -> column.name().equals(name)).findFirst();
    }
}
