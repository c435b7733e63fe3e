package dev.purser.collection;

import dev.purser.access.Principal;
import dev.purser.collection.CollectionFor.Use;
import dev.purser.collection.StoredCollection.Kind;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.Order;
import java.util.List;
import org.springframework.stereotype.Service;

/**
 * Decides which collections and trainings a principal can see. Every request gets its collection from here, so a hidden
 * collection and a missing collection give the same refusal. Grants make a collection visible. A custodian also sees
 * the collections that it opened, and can change only these.
 */
@Service
public class VisibleCollections {
    private final Database database;

    public VisibleCollections(Database database) {
        this.database = database;
    }

    /**
     * A collection that the principal may use for this. A granted collection may be read. Only its custodian and
     * administrators may close and delete it.
     *
     * @throws ProblemException {@code not-found} if the principal sees none with this id, or it was deleted. A deletion
     *     still finds it, because a second deletion completes an interrupted deletion
     */
    public StoredCollection require(Principal principal, Use use, Kind kind, String id) {
        boolean isGranted = use == Use.READING && principal.collections().include(id);
        if (!isGranted && !CollectionTable.owned(kind).isOwn(database, principal, id)) {
            throw notFound();
        }
        return database.read(connection -> JournaledCollections.COLLECTIONS.find(connection, id))
                .filter(found -> found.kind() == kind && (use == Use.DELETING || !found.isDeleted()))
                .orElseThrow(VisibleCollections::notFound);
    }

    /** The collections that can be read, whose id comes after {@code after} in this order. */
    public List<StoredCollection> list(Principal principal, Kind kind, Order order, String after, int limit) {
        return database.read(connection -> principal.collections().all()
                ? CollectionTable.listed(connection, kind, order, after, limit)
                : CollectionTable.listed(connection, kind, principal, order, after, limit));
    }

    static ProblemException notFound() {
        return ProblemException.of(ProblemType.NOT_FOUND, "there is no such collection or training");
    }
}
