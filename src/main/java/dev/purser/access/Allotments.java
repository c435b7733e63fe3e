package dev.purser.access;

import dev.purser.privacy.StatedAmount;
import java.util.List;

/** What principals may spend of their own, inside the datasets' limits. The books behind it belong to another module. */
@FunctionalInterface
public interface Allotments {
    /** The principal's allotments by dataset id, of the datasets it still sees. */
    List<Allotment> of(Principal principal);

    /**
     * A ceiling for one principal on one dataset, and where it stands.
     *
     * @param limit the ceiling
     * @param spent what the principal's questions were charged
     * @param remaining what the ceiling leaves; the dataset may have less
     */
    record Allotment(String datasetId, StatedAmount limit, StatedAmount spent, StatedAmount remaining) {}
}
