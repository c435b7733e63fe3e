package dev.purser.dataset.web;

import dev.purser.dataset.ListedDataset;
import dev.purser.ledger.Budget;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

@Schema(
        name = "DatasetSummary",
        description = "A dataset in a list, without its registration. The single read shows title, columns and unit.")
record DatasetSummaryView(
        @Schema(example = "adult") String id,

        @Schema(
                description = "The dataset whose account is charged: itself, or the one it shares the account with.",
                example = "adult")
        String account,

        @Schema(example = "pure") String accountant,
        DatasetView.BudgetSummaryView budget,

        @Schema(allowableValues = {"registered", "loading", "ready", "failed"})
        String state,

        @Schema(
                description =
                        "About how many rows of an upload were read so far. Null unless an upload is being read and"
                                + " the key may change the dataset.",
                example = "4096")
        @Nullable
        Long rowsSoFar,

        @Schema(example = "2026-01-31T12:00:00Z") Instant registeredAt) {
    static DatasetSummaryView of(ListedDataset dataset, Budget budget, Optional<Long> rowsSoFar) {
        return new DatasetSummaryView(
                dataset.id(),
                dataset.account(),
                budget.accountant().name(),
                DatasetView.BudgetSummaryView.of(budget),
                dataset.state().label(),
                rowsSoFar.orElse(null),
                dataset.registeredAt());
    }
}
