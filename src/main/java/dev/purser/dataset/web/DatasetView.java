package dev.purser.dataset.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.BlockWidth;
import dev.purser.dataset.Column;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.MissingValue;
import dev.purser.dataset.Notation;
import dev.purser.dataset.Registration;
import dev.purser.dataset.Source;
import dev.purser.ledger.Budget;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

@Schema(
        name = "Dataset",
        description =
                "The public facts of a dataset, and its state. To others than its custodian and administrators, nothing"
                        + " here depends on its rows except that an upload succeeded.")
record DatasetView(
        @Schema(example = "adult") String id,
        @Schema(example = "Census income, 1994") @Nullable String title,
        List<ColumnView> columns,
        @Schema(ref = "#/components/schemas/PrivacyUnit") PrivacyUnitView privacyUnit,

        @Schema(allowableValues = {"add-or-remove-one", "replace-one"})
        String neighboringRelation,

        @Schema(description = "The most rows it may hold.", example = "1000000")
        long maxRows,

        BudgetSummaryView budget,
        @Schema(example = "pure") String accountant,
        @Schema(ref = "#/components/schemas/DatasetSource") SourceView source,

        @Schema(description = "Whether the custodian declared the rows public or synthetic.")
        boolean declaredPublic,

        @Schema(
                description =
                        "Whether the custodian stated that the rows are about other people than equal rows of another"
                                + " account.")
        boolean declaredOtherPeople,

        @Schema(description = "How the rows are divided, each block with the whole budget; null if they are not.")
        @Nullable
        BlocksView blocks,

        @Schema(description = "The dataset whose account is charged, if not its own.") @Nullable
        String sharesAccountWith,

        @Schema(
                description =
                        "For the dataset's custodian and administrators `registered`, `loading`, `ready` or `failed`."
                                + " For everybody else `ready` or `not-ready`: whether an upload failed depends on"
                                + " its rows.",
                allowableValues = {"registered", "loading", "ready", "failed", "not-ready"})
        String state,

        @Schema(
                description =
                        "About how many rows of an upload were read so far. Null unless an upload is being read and"
                                + " the key may change the dataset.",
                example = "4096")
        @Nullable
        Long rowsSoFar,

        @Schema(example = "2026-01-31T12:00:00Z") Instant registeredAt) {

    static DatasetView of(Dataset dataset, Budget budget, boolean owner, Optional<Long> rowsSoFar) {
        Registration registration = dataset.registration();
        return new DatasetView(
                dataset.id(),
                registration.title().orElse(null),
                dataset.columns().stream().map(ColumnView::of).toList(),
                PrivacyUnitView.of(registration.privacyUnit()),
                registration.neighboringRelation().label(),
                registration.maxRows(),
                BudgetSummaryView.of(budget),
                registration.accountant().name(),
                SourceView.of(registration.source()),
                registration.declaredPublic(),
                registration.declaredOtherPeople(),
                dataset.blocks().map(BlocksView::of).orElse(null),
                registration.sharesAccountWith().orElse(null),
                dataset.state().shownTo(owner),
                owner ? rowsSoFar.orElse(null) : null,
                dataset.registeredAt());
    }

    @Schema(name = "DatasetBudget", description = "The account's limit, and what is spent and remains of it.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record BudgetSummaryView(
            Epsilon epsilon, Delta delta, @Nullable Rho rho, StatedAmount spent, StatedAmount remaining) {
        static BudgetSummaryView of(Budget budget) {
            StatedAmount limit = budget.stated(budget.limit());
            return new BudgetSummaryView(
                    limit.epsilon(),
                    limit.delta(),
                    limit.rho(),
                    budget.stated(budget.spent()),
                    budget.stated(budget.remaining()));
        }
    }

    @Schema(name = "BlocksOfDataset", description = "The blocks of a dataset: ranges of the values of one column.")
    record BlocksView(
            @Schema(example = "day") String column,

            @Schema(
                    implementation = BlockWidth.class,
                    description = "`day`, `week` (from Monday), `month`, or a number of integers.",
                    example = "day")
            Object width,

            @Schema(description = "The label of the first block.", example = "2026-01-01")
            String first,

            @Schema(description = "The label of the last block.", example = "2026-12-31")
            String last) {
        static BlocksView of(Blocks blocks) {
            return new BlocksView(
                    blocks.column(),
                    blocks.width() instanceof Blocks.Integers(long size)
                            ? size
                            : blocks.width().text(),
                    blocks.label(0),
                    blocks.label(blocks.count() - 1));
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SourceView(
            String type,
            @Nullable String connection,
            @Nullable String table) {
        static SourceView of(Source source) {
            return switch (source) {
                case Source.Upload upload -> new SourceView("upload", null, null);
                case Source.Table table ->
                    new SourceView("table", table.connection(), table.table().toString());
            };
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PrivacyUnitView(
            String type,
            @Nullable String column,
            @Nullable Integer maxRows,
            @Nullable String idType) {
        static PrivacyUnitView of(PrivacyUnit unit) {
            return switch (unit) {
                case PrivacyUnit.Row row -> new PrivacyUnitView("row", null, null, null);
                case PrivacyUnit.Column column ->
                    new PrivacyUnitView(
                            "column",
                            column.column(),
                            column.maxRows(),
                            column.idType().label());
            };
        }
    }

    @Schema(
            name = "Column",
            description =
                    "A column as declared: numbers, dates or timestamps on a grid between bounds, truth values, or"
                            + " categories.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ColumnView(
            @Schema(example = "age") String name,

            @Schema(allowableValues = {"integer", "decimal", "boolean", "date", "timestamp", "category"})
            String type,

            @Schema(description = "The lower bound, in the notation of the column's type.", example = "0") @Nullable
            ColumnValue lower,

            @Schema(description = "The upper bound, in the notation of the column's type.", example = "125") @Nullable
            ColumnValue upper,

            @Schema(description = "Of numbers, and of timestamps in seconds.", example = "1") @Nullable
            BigDecimal resolution,

            @Schema(description = "All categories; with type category.") @Nullable
            List<String> categories,

            @Schema(
                    implementation = MissingValue.class,
                    description = "\"reject\", or the substitute for a missing or unlisted value.")
            Object missing,

            @Schema(
                    description =
                            "What stands for a missing value in an upload, beside an empty field. Left out if it is"
                                    + " the default.",
                    example = "[\"NA\"]")
            @Nullable
            List<String> missingSpellings) {
        private static final String REJECT = "reject";

        static ColumnView of(Column column) {
            return switch (column) {
                case Column.Numeric numeric -> onGrid(numeric, numeric.notation());
                case Column.Category category -> ofCategories(category);
            };
        }

        private static @Nullable List<String> spellings(Column column) {
            return column.missingSpellings().equals(Column.USUAL_SPELLINGS)
                    ? null
                    : List.copyOf(column.missingSpellings());
        }

        private static ColumnView onGrid(Column.Numeric column, Notation notation) {
            return new ColumnView(
                    column.name(),
                    column.type(),
                    notation.shown(column.lower()),
                    notation.shown(column.upper()),
                    switch (notation) {
                        case Notation.Numbers numbers -> numbers.grid().resolution();
                        case Notation.Timestamps timestamps -> timestamps.grid().resolution();
                        case Notation.Dates _ -> null;
                    },
                    null,
                    column.missing() == null ? REJECT : notation.shown(column.missing()),
                    spellings(column));
        }

        private static ColumnView ofCategories(Column.Category column) {
            return new ColumnView(
                    column.name(),
                    column.type(),
                    null,
                    null,
                    null,
                    switch (column.spelling()) {
                        case NAMES -> column.categories();
                        case TRUTH -> null;
                    },
                    column.missing() == null ? REJECT : column.shown(column.missing()),
                    spellings(column));
        }
    }
}
