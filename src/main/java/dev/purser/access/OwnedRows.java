package dev.purser.access;

import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A table whose rows belong to custodians. A principal sees the rows that it was granted. A custodian also sees its own
 * rows, and can change only these.
 *
 * @param table the table. It has an {@code id}, which is never used again, a {@code custodian}, and an index of both
 * @param present the condition for the rows that a list shows
 */
public record OwnedRows(String table, String present) {
    /** Finds a row with its entry in the journal. */
    @FunctionalInterface
    public interface Finder<T> {
        /** Returns the row with this id; empty if a list does not show it. */
        Optional<T> find(StoreConnection connection, String id) throws SQLException;
    }

    /** Whether this principal may change the row with this id, deleted or not: an administrator may change any. */
    public boolean isOwn(Database database, Principal principal, String id) {
        return principal.isAdministrator()
                || principal.role() == Role.CUSTODIAN
                        && database.readOne(connection -> isOwnedBy(connection, id, principal.name()));
    }

    /**
     * Whether {@code custodian} has a row with this id, deleted or not. A row of another custodian takes no longer than
     * a missing row, whatever its size, because the index of custodians alone answers the query. With {@code id = ?},
     * SQLite would search the table itself, and would read large rows as a whole to compare ids.
     */
    public boolean isOwnedBy(StoreConnection connection, String id, String custodian) throws SQLException {
        return connection
                .first(
                        "SELECT 1 FROM " + table + " WHERE custodian = ? AND id BETWEEN ? AND ?",
                        row -> true,
                        custodian,
                        id,
                        id)
                .isPresent();
    }

    /**
     * The rows that come after an id in this order and that the principal was granted, or owns as a custodian. The work
     * does not depend on the number of other rows.
     *
     * @param granted the granted ids; {@link Grants#ALL} is not permitted here
     */
    public <T> List<T> list(
            StoreConnection connection,
            Principal principal,
            Grants granted,
            Order order,
            String after,
            int limit,
            Finder<T> finder)
            throws SQLException {
        NavigableSet<String> candidates = new TreeSet<>(granted.ids());
        if (principal.role() == Role.CUSTODIAN) {
            candidates.addAll(connection.all(
                    "SELECT id FROM " + table + " WHERE custodian = ? AND id " + order.comparison() + " ? AND "
                            + present + " ORDER BY id " + order.name() + " LIMIT ?",
                    row -> row.getString(1),
                    principal.name(),
                    after,
                    limit));
        }
        List<T> found = new ArrayList<>();
        for (String id : order.following(candidates, after)) {
            if (found.size() < limit) {
                finder.find(connection, id).ifPresent(found::add);
            }
        }
        return found;
    }
}
