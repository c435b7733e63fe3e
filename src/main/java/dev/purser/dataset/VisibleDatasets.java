package dev.purser.dataset;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.problem.ProblemException;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Decides which datasets there are for a principal. Whatever a request is about, its dataset comes from here, so that what
 * one may not see answers exactly like what does not exist: the same refusal, after the same lookups. Nothing of a hidden
 * dataset's row is read.
 *
 * <p>Grants make a dataset visible. A custodian also sees what it registered, and changes that and nothing else.
 */
@Service
public class VisibleDatasets {
    private final DatasetCatalog catalog;

    public VisibleDatasets(DatasetCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * A dataset that is there to be looked at.
     *
     * @throws ProblemException {@code not-found} if there is none for this principal, or not any more
     */
    public Dataset require(Principal principal, String id) {
        check(sees(principal, id));
        return catalog.require(id);
    }

    /**
     * A dataset whose books are asked for: they outlive its data.
     *
     * @throws ProblemException {@code not-found} if there never was one for this principal
     */
    public Dataset requireEvenDeleted(Principal principal, String id) {
        check(sees(principal, id));
        return catalog.requireEvenDeleted(id);
    }

    /**
     * A dataset that is to be asked about.
     *
     * @throws ProblemException {@code not-found} as {@link #require}, {@code dataset-not-ready} before its upload succeeded
     */
    public Dataset requireReady(Principal principal, String id) {
        check(sees(principal, id));
        return catalog.requireReady(id);
    }

    /**
     * A dataset that is to be changed: the principal's own, or any for an administrator.
     *
     * @throws ProblemException {@code not-found} if there is none, or not any more; also for one that is granted only
     */
    public Dataset requireOwn(Principal principal, String id) {
        check(owns(principal, id));
        return catalog.require(id);
    }

    /** As {@link #requireOwn}, also if it was deleted: a deletion that stopped halfway is finished by the next. */
    public Dataset requireOwnEvenDeleted(Principal principal, String id) {
        check(owns(principal, id));
        return catalog.requireEvenDeleted(id);
    }

    /** The datasets that {@link #require} would give, whose id sorts after {@code after}, in that order. */
    public List<Dataset> list(Principal principal, String after, int limit) {
        if (principal.datasets().all()) {
            return catalog.list(after, limit);
        }
        String custodian = principal.role() == Role.CUSTODIAN ? principal.name() : null;
        return catalog.list(principal.datasets().ids(), custodian, after, limit);
    }

    /**
     * Whether an answer is there for this principal: the one that asked, as long as its grant stands, and administrators. The
     * dataset may be gone.
     */
    public boolean showsAnswer(Principal principal, String asker, String datasetId) {
        return principal.isAdministrator()
                || asker.equals(principal.name()) && principal.datasets().include(datasetId);
    }

    /** Whether a question's receipt is there for this principal: as its answer is, and for auditors of the dataset. */
    public boolean showsReceipt(Principal principal, String asker, String datasetId) {
        return showsAnswer(principal, asker, datasetId)
                || principal.role() == Role.AUDITOR && principal.datasets().include(datasetId);
    }

    /** Whether {@link #requireOwn} would let this principal change the dataset. */
    public boolean mayChange(Principal principal, String id) {
        return owns(principal, id);
    }

    private boolean sees(Principal principal, String id) {
        return principal.datasets().include(id) || owns(principal, id);
    }

    private boolean owns(Principal principal, String id) {
        return principal.isAdministrator()
                || principal.role() == Role.CUSTODIAN && catalog.isRegisteredBy(id, principal.name());
    }

    private static void check(boolean visible) {
        if (!visible) {
            throw DatasetCatalog.notFound();
        }
    }
}
