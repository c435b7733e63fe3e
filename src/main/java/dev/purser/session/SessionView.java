package dev.purser.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.Dataset;
import dev.purser.ledger.Budget;
import dev.purser.privacy.StatedAmount;
import dev.purser.query.Accuracy;
import dev.purser.query.Guarantee;
import dev.purser.query.MechanismView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A session as it is shown: public facts, and facts that follow from its released outcomes. */
@Schema(name = "ThresholdSession", description = "A threshold session.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SessionView(
        @Schema(example = "01KAJ4Z5T3S8Q2W9E7R6Y1XBNV") String sessionId,
        @Schema(example = "adult") String datasetId,

        @Schema(allowableValues = ThresholdSessions.KIND, description = "The kind of its charges in the ledger.")
        String kind,

        @Schema(allowableValues = {"open", "closed"}) String state,

        @Schema(allowableValues = {"positives", "expired", "deleted", "maxQueries", "restored"}) @Nullable
        String closedBecause,

        @Schema(description = "How many more outcomes may be ABOVE.", example = "3")
        long positivesLeft,

        @Schema(description = "The sequence number of the next question.", example = "1")
        long nextSequence,

        @Schema(description = "In UTC.") Instant openedAt,

        @Schema(description = "When an open session is closed if nothing is asked before, in UTC.") @Nullable
        Instant expiresAt,

        @Schema(description = "All that it was charged so far.")
        StatedAmount charge,

        @Schema(description = "The guarantee of the whole session, whatever is asked.")
        Guarantee guarantee,

        MechanismView mechanism,

        @Schema(
                description = "The error bound of all outcomes together: of `maxQueries` questions, else of those asked"
                        + " so far, at least one.")
        Accuracy accuracy,

        @Schema(
                implementation = Object.class,
                ref = "#/components/schemas/OpenThresholdSession",
                description = "What opened it.")
        Map<String, Object> declaration) {
    static SessionView of(Interaction session, SessionDeclaration declaration, Dataset dataset, Budget budget) {
        return new SessionView(
                session.id(),
                session.datasetId(),
                ThresholdSessions.KIND,
                session.isOpen() ? "open" : "closed",
                session.closedBecause(),
                session.costlyStepsLeft(),
                session.steps() + 1,
                session.openedAt(),
                session.isOpen() ? session.expiresAt() : null,
                budget.stated(session.charged()),
                Guarantee.of(dataset, declaration.whole(), budget.limit().delta()),
                MechanismView.of(
                        declaration.mechanism().description(),
                        declaration.terms().grid()),
                declaration.accuracy(session.steps()),
                declaration.shown());
    }
}
