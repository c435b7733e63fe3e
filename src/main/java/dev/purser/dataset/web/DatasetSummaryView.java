package dev.purser.dataset.web;

import dev.purser.dataset.ListedDataset;
import dev.purser.ledger.Budget;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

@Schema(
        name = "DatasetSummary",
        description = "A dataset in a list, without its registration. The single read shows title, columns and unit.")
record DatasetSummaryView(
        @Schema(example = "adult") String id,

        @Schema(description = "As its custodian calls it; null without one.", example = "Census income, 1994") @Nullable
        String title,

        @Schema(
                description = "The dataset whose account is charged: itself, or the one it shares the account with.",
                example = "adult")
        String account,

        @Schema(example = "pure") String accountant,
        DatasetView.BudgetSummaryView budget,

        @Schema(
                description = "What this key may still be charged: for an analyst with an allotment, what is left of it"
                        + " if that is less than what is left of the budget.")
        StatedAmount remaining,

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
    /** @param remaining what the key may still be charged */
    static DatasetSummaryView of(
            ListedDataset dataset, Budget budget, PrivacyAmount remaining, boolean owner, Optional<Long> rowsSoFar) {
        return new DatasetSummaryView(
                dataset.id(),
                dataset.title(),
                dataset.account(),
                budget.accountant().name(),
                DatasetView.BudgetSummaryView.of(budget),
                budget.stated(remaining),
                dataset.state().shownTo(owner),
                owner ? rowsSoFar.orElse(null) : null,
                dataset.registeredAt());
    }
}
