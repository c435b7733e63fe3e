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
    static DatasetSummaryView of(ListedDataset dataset, Budget budget, boolean owner, Optional<Long> rowsSoFar) {
        return new DatasetSummaryView(
                dataset.id(),
                dataset.account(),
                budget.accountant().name(),
                DatasetView.BudgetSummaryView.of(budget),
                dataset.state().shownTo(owner),
                owner ? rowsSoFar.orElse(null) : null,
                dataset.registeredAt());
    }
}
