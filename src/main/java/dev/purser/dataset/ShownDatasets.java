package dev.purser.dataset;

import dev.purser.access.Principal;
import dev.purser.http.Page;

/** Datasets as the API shows them: public facts and books. Each method returns an object that is written as JSON. */
public interface ShownDatasets {
    /**
     * The datasets that a principal sees, by id.
     *
     * @param after the {@code next} of an earlier page; empty for the first page
     */
    Page<?> page(Principal principal, String after, int limit);

    /** One dataset, which the principal may see. */
    Shown shown(Principal principal, Dataset dataset);

    /**
     * A dataset as it is shown.
     *
     * @param dataset the object that a request for this dataset returns
     * @param remaining what this key may still be charged
     */
    record Shown(Object dataset, Object remaining) {}
}
