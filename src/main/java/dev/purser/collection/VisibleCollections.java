package dev.purser.collection;

import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Decides which collections and trainings a principal can see. Every request gets its collection from here, so a hidden
 * collection and a missing one give the same refusal. Grants make a collection visible. A custodian also sees those it
 * opened, and can change only those.
 */
@Service
public class VisibleCollections {
    private final Database database;

    public VisibleCollections(Database database) {
        this.database = database;
    }

    /**
     * A collection to be read, or to be sent reports.
     *
     * @throws ProblemException {@code not-found} if the principal sees none with this id, or it was deleted
     */
    public StoredCollection require(Principal principal, Kind kind, String id) {
        if (!principal.collections().include(id)) {
            checkOwns(principal, id);
        }
        StoredCollection found = find(kind, id);
        if (found.isDeleted()) {
            throw notFound();
        }
        return found;
    }

    /**
     * A collection to be closed: the principal's own, or any for an administrator.
     *
     * @throws ProblemException {@code not-found} if there is none, it was deleted, or the principal was only granted it
     */
    public StoredCollection requireOwn(Principal principal, Kind kind, String id) {
        StoredCollection found = requireOwnEvenDeleted(principal, kind, id);
        if (found.isDeleted()) {
            throw notFound();
        }
        return found;
    }

    /** As {@link #requireOwn}, deleted or not: the next deletion completes one that was interrupted. */
    public StoredCollection requireOwnEvenDeleted(Principal principal, Kind kind, String id) {
        checkOwns(principal, id);
        return find(kind, id);
    }

    /** The collections that {@link #require} returns, whose id comes after {@code after} in this order. */
    public List<StoredCollection> list(Principal principal, Kind kind, Order order, String after, int limit) {
        return database.read(connection -> {
            if (principal.collections().all()) {
                return CollectionTable.listed(connection, kind, order, after, limit);
            }
            String custodian = principal.role() == Role.CUSTODIAN ? principal.name() : null;
            return CollectionTable.listed(
                    connection, kind, principal.collections().ids(), custodian, order, after, limit);
        });
    }

    private void checkOwns(Principal principal, String id) {
        boolean owns = principal.isAdministrator()
                || principal.role() == Role.CUSTODIAN
                        && database.read(connection -> CollectionTable.isOpenedBy(connection, id, principal.name()));
        if (!owns) {
            throw notFound();
        }
    }

    private StoredCollection find(Kind kind, String id) {
        return database.read(connection -> CollectionTable.find(connection, id))
                .filter(found -> found.kind() == kind)
                .orElseThrow(VisibleCollections::notFound);
    }

    static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such collection or training");
    }
}
