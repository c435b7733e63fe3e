package dev.purser.dataset.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Registration;
import dev.purser.ledger.Budget;
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

@Schema(name = "Dataset", description = "The public facts of a dataset. Nothing here is read off its rows.")
record DatasetView(
        @Schema(example = "adult") String id,
        @Schema(example = "Census income, 1994") @Nullable String title,
        List<ColumnView> columns,
        PrivacyUnitView privacyUnit,

        @Schema(allowableValues = {"add-or-remove-one", "replace-one"})
        String neighboringRelation,

        @Schema(description = "The most rows it may hold.", example = "1000000")
        long maxRows,

        BudgetSummaryView budget,
        @Schema(example = "pure") String accountant,
        SourceView source,

        @Schema(description = "Whether the custodian declared the rows public or synthetic.")
        boolean declaredPublic,

        @Schema(description = "The dataset whose account is charged, if not its own.") @Nullable
        String sharesAccountWith,

        @Schema(allowableValues = {"registered", "loading", "ready", "failed"})
        String state,

        @Schema(
                description =
                        "While an upload is being read, and for who may change the dataset only: nearly how many rows"
                                + " were read so far. Else null.",
                example = "4096")
        @Nullable
        Long rowsSoFar,

        @Schema(example = "2026-01-31T12:00:00Z") Instant registeredAt) {

    static DatasetView of(Dataset dataset, Budget budget, Optional<Long> rowsSoFar) {
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
                new SourceView("upload"),
                registration.declaredPublic(),
                registration.sharesAccountWith().orElse(null),
                dataset.state().label(),
                rowsSoFar.orElse(null),
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

    @Schema(name = "DatasetSource", description = "Where the rows come from.")
    record SourceView(@Schema(allowableValues = "upload") String type) {}

    @Schema(name = "PrivacyUnit", description = "Whose contribution is protected.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record PrivacyUnitView(
            @Schema(allowableValues = {"row", "column"}) String type,

            @Schema(description = "With type column: the header of the column that names the unit.") @Nullable
            String column,

            @Schema(description = "With type column: the most rows of one unit that are kept.") @Nullable
            Integer maxRows) {
        static PrivacyUnitView of(PrivacyUnit unit) {
            return switch (unit) {
                case PrivacyUnit.Row row -> new PrivacyUnitView("row", null, null);
                case PrivacyUnit.Column column -> new PrivacyUnitView("column", column.column(), column.maxRows());
            };
        }
    }

    @Schema(name = "Column", description = "A column as declared: numbers on a grid between bounds, or categories.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ColumnView(
            @Schema(example = "age") String name,

            @Schema(allowableValues = {"integer", "decimal", "category"})
            String type,

            @Schema(example = "0") @Nullable BigDecimal lower,
            @Schema(example = "125") @Nullable BigDecimal upper,
            @Schema(example = "1") @Nullable BigDecimal resolution,

            @Schema(description = "All categories; with type category.") @Nullable
            List<String> categories,

            @Schema(description = "\"reject\", or what stands for a missing or unreadable value.")
            Object missing) {
        static ColumnView of(Column column) {
            return switch (column) {
                case Column.Numeric numeric ->
                    new ColumnView(
                            numeric.name(),
                            numeric.type() == Column.Numeric.Type.INTEGER ? "integer" : "decimal",
                            numeric.grid().toDecimal(numeric.lower()),
                            numeric.grid().toDecimal(numeric.upper()),
                            numeric.grid().resolution(),
                            null,
                            numeric.missing() == null
                                    ? "reject"
                                    : numeric.grid().toDecimal(numeric.missing()));
                case Column.Category category ->
                    new ColumnView(
                            category.name(),
                            "category",
                            null,
                            null,
                            null,
                            category.categories(),
                            category.missing() == null
                                    ? "reject"
                                    : category.categories().get(category.missing()));
            };
        }
    }
}
