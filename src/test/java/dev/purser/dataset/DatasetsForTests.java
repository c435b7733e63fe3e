package dev.purser.dataset;

import dev.purser.access.Principal;
import dev.purser.accounting.PureAccountant;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyUnit;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

import static dev.purser.Records.with;

/** Datasets as a test needs them. */
public final class DatasetsForTests {
    private DatasetsForTests() {}

    public static Dataset of(String id, PrivacyUnit unit, long maxRows, List<Column> columns) {
        return of(id, unit, maxRows, columns, new Source.Upload());
    }

    public static Dataset of(String id, PrivacyUnit unit, long maxRows, List<Column> columns, Source source) {
        Registration registration = new Registration(
                id,
                Optional.empty(),
                columns,
                unit,
                NeighboringRelation.ADD_OR_REMOVE_ONE,
                maxRows,
                PrivacyAmount.pure(Epsilon.parse("1")),
                new PureAccountant(),
                source,
                false,
                false,
                Optional.empty(),
                Optional.empty());
        return new Dataset(
                registration,
                "0".repeat(64),
                id,
                DatasetState.READY,
                "custodian",
                Instant.EPOCH,
                null,
                ReadyBlocks.NONE,
                Map.of());
    }

    public static Dataset rows(String id, Column... columns) {
        return of(id, new PrivacyUnit.Row(), 100_000_000, List.of(columns));
    }

    /** The same dataset under the relation {@code replace-one}. */
    public static Dataset replaceOne(Dataset dataset) {
        Registration replaced = with(dataset.registration(), "neighboringRelation", NeighboringRelation.REPLACE_ONE);
        return with(dataset, "registration", replaced);
    }

    /** The same dataset with its rows divided into blocks. */
    public static Dataset divided(Dataset dataset, Blocks blocks) {
        Registration divided = with(dataset.registration(), "blocks", Optional.of(new BlockDivision(blocks, 0)));
        return with(
                dataset, "registration", divided, "rowsDigest", null, "ready", new ReadyBlocks(List.of(blocks.all())));
    }

    public static Column.Numeric integer(String name, long lower, long upper) {
        return new Column.Numeric(name, new Notation.Numbers(true, Grid.ONE), lower, upper, null);
    }

    public static Column.Numeric decimal(
            String name, String resolution, long lower, long upper, @Nullable Long missing) {
        Grid grid = new Grid(new BigDecimal(resolution));
        return new Column.Numeric(name, new Notation.Numbers(false, grid), lower, upper, missing);
    }

    public static Column.Category category(String name, @Nullable Integer missing, String... categories) {
        return Column.Category.ofNames(name, List.of(categories)).substituting(missing, Column.USUAL_SPELLINGS);
    }

    public static Column.Category truth(String name, @Nullable Integer missing) {
        return Column.Category.ofTruth(name).substituting(missing, Column.USUAL_SPELLINGS);
    }

    /** One dataset, which everybody may see and ask. */
    public static VisibleDatasets visible(Supplier<Dataset> dataset) {
        return visible(dataset, dataset);
    }

    /**
     * One dataset, which everybody may see and ask.
     *
     * @param shown the dataset for whoever looks at its books
     * @param ready the dataset for whoever asks about its rows
     */
    @SuppressWarnings("NullAway") // There is no catalogue.
    public static VisibleDatasets visible(Supplier<Dataset> shown, Supplier<Dataset> ready) {
        return new VisibleDatasets(null) {
            @Override
            public Dataset requireEvenDeleted(Principal principal, String id) {
                return shown.get();
            }

            @Override
            public Dataset requireReady(Principal principal, String id) {
                return ready.get();
            }
        };
    }
}
