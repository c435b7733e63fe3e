package dev.purser.access;

import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * The amounts that principals may spend inside the datasets' limits. Another module implements this interface with the
 * ledger.
 */
@FunctionalInterface
public interface Allotments {
    /** The principal's allotments by dataset id, for the datasets that it still sees. */
    List<Allotment> of(Principal principal);

    /**
     * A ceiling for one principal on one dataset, and its state.
     *
     * @param limit the ceiling
     * @param spent the charges of the principal's questions
     * @param remaining what the ceiling leaves; the dataset may have less
     */
    @Schema(name = "OwnAllotment", description = "A ceiling for this principal inside a dataset's limit.")
    record Allotment(
            @Schema(example = "adult") String datasetId,
            StatedAmount limit,
            StatedAmount spent,
            StatedAmount remaining) {}
}
