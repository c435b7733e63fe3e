package dev.purser.experiment;

import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What a job shows. */
@Schema(name = "Job", description = "An experiment that waits, runs or has ended.")
public record JobView(
        @Schema(description = "Identifies the job.", example = "0c1e5f7a90b34d2280e7c4a1d95b63")
        String jobId,

        @Schema(allowableValues = {"mean", "regression"}) String kind,

        @Schema(allowableValues = {"queued", "running", "done", "failed", "cancelled"})
        String state,

        @Schema(description = "The share of its reports that are drawn, 0 to 1.", example = "0.42")
        BigDecimal progress,

        @Schema(description = "Once the job is done; null before, and where it failed or was cancelled.") @Nullable
        ExperimentResult result) {
    /** The same job, in one line of JSON that stays short. */
    public JobView withoutResult() {
        return new JobView(jobId, kind, state, progress, null);
    }
}
