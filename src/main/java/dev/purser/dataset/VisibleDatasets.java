package dev.purser.dataset;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.problem.ProblemException;
import dev.purser.store.Order;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Decides which datasets a principal can see. Every request gets its dataset from here. A hidden dataset and a missing
 * dataset therefore give the same refusal after the same lookups. The row of a hidden dataset is not read.
 *
 * <p>Grants make a dataset visible. A custodian also sees the datasets that it registered, and can change only these.
 */
@Service
public class VisibleDatasets {
    private final DatasetCatalog catalog;

    public VisibleDatasets(DatasetCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * A dataset to be read.
     *
     * @throws ProblemException {@code not-found} if the principal sees no dataset with this id, or it was deleted
     */
    public Dataset require(Principal principal, String id) {
        check(sees(principal, id));
        return catalog.require(id);
    }

    /**
     * A dataset whose books are to be read. The books stay after the data was deleted.
     *
     * @throws ProblemException {@code not-found} if there never was such a dataset that this principal may see
     */
    public Dataset requireEvenDeleted(Principal principal, String id) {
        check(sees(principal, id));
        return catalog.requireEvenDeleted(id);
    }

    /**
     * A dataset to be asked about.
     *
     * @throws ProblemException {@code not-found} as {@link #require}; {@code dataset-not-ready} and
     *     {@code temporarily-unavailable} as {@link DatasetCatalog#requireReady}
     */
    public Dataset requireReady(Principal principal, String id) {
        check(sees(principal, id));
        return catalog.requireReady(id);
    }

    /**
     * A dataset that was {@link #requireReady ready} a while ago and whose row is unchanged.
     *
     * @throws ProblemException {@code temporarily-unavailable} as {@link DatasetCatalog#requireReady}
     */
    public Dataset stillReady(Dataset dataset) {
        return catalog.requireReachable(dataset);
    }

    /**
     * A dataset to be changed: the principal's own, or any for an administrator.
     *
     * @throws ProblemException {@code not-found} if there is no such dataset, it was deleted, or the principal was only
     *     granted it
     */
    public Dataset requireOwn(Principal principal, String id) {
        check(catalog.isOwn(principal, id));
        return catalog.require(id);
    }

    /** As {@link #requireOwn}, deleted or not, because a second deletion completes an interrupted deletion. */
    public Dataset requireOwnEvenDeleted(Principal principal, String id) {
        check(catalog.isOwn(principal, id));
        return catalog.requireEvenDeleted(id);
    }

    /** The datasets that {@link #require} returns, whose id comes after {@code after} in this order. */
    public List<ListedDataset> list(Principal principal, Order order, String after, int limit) {
        if (principal.datasets().all()) {
            return catalog.list(order, after, limit);
        }
        return catalog.list(principal, order, after, limit);
    }

    /** The ids of the first datasets that {@link #require} returns, ascending. */
    public List<String> ids(Principal principal, int limit) {
        return list(principal, Order.ASC, "", limit).stream()
                .map(ListedDataset::id)
                .toList();
    }

    /**
     * Whether this principal may see an answer. A principal that got it before sees it while its grant is valid, and
     * administrators see all answers. The dataset may be deleted.
     *
     * @param hasGotIt whether the principal asked the question, or reused its answer
     */
    public boolean showsAnswer(Principal principal, boolean hasGotIt, String datasetId) {
        return principal.isAdministrator() || hasGotIt && principal.datasets().include(datasetId);
    }

    /**
     * Whether this principal may see a question's receipt. The asker, administrators, and auditors of the dataset may.
     */
    public boolean showsReceipt(Principal principal, String asker, String datasetId) {
        return showsAnswer(principal, asker.equals(principal.name()), datasetId)
                || principal.role() == Role.AUDITOR && principal.datasets().include(datasetId);
    }

    /** Whether {@link #requireOwn} would let this principal change a dataset that {@code custodian} registered. */
    public boolean isOwner(Principal principal, String custodian) {
        return principal.isAdministrator()
                || principal.role() == Role.CUSTODIAN && principal.name().equals(custodian);
    }

    private boolean sees(Principal principal, String id) {
        return principal.datasets().include(id) || catalog.isOwn(principal, id);
    }

    private static void check(boolean visible) {
        if (!visible) {
            throw DatasetCatalog.notFound();
        }
    }
}
