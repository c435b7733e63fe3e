package dev.purser.ledger;

import dev.purser.journal.DecidingRows;
import dev.purser.privacy.Epsilon;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.BYTES;
import static dev.purser.journal.DecidingRows.Form.CONTENT;
import static dev.purser.journal.DecidingRows.Form.TEXT;

/** The tables of released integers and of refinements. */
final class SqlRefinements implements Refinements {
    static final DecidingRows<Row> RELEASED = new DecidingRows<>(
            "released_integers",
            "released %s",
            row -> new Row(
                    row.getString(1),
                    row.getString(2),
                    new Released(row.getBytes(3), new Epsilon(row.getLong(4)), row.getBytes(5))),
            List.of(),
            List.of(
                    key("query_id", Row::queryId),
                    fixed(TEXT, "dataset_id", Row::datasetId),
                    fixed(BYTES, "series", each -> each.released().series()),
                    fixed(
                            TEXT,
                            "epsilon_nanos",
                            each -> each.released().epsilon().nanos()),
                    changing(CONTENT, "content", each -> each.released().integers())));

    static final DecidingRows<Refinement> REFINED = new DecidingRows<>(
            "refinement",
            "refinement of %s",
            row -> new Refinement(row.getString(1), new Refines(row.getString(2), new Epsilon(row.getLong(3)))),
            List.of(),
            List.of(
                    key("refined", Refinement::refined),
                    fixed(TEXT, "query_id", each -> each.by().queryId()),
                    fixed(TEXT, "epsilon_nanos", each -> each.by().epsilon().nanos())));

    private static final String REFINED_BY = REFINED.select("WHERE r.query_id = ?");

    /** Reads the rows alone. They are compared with the journal when the answer is refined. */
    private static final String BELOW = "SELECT r.query_id, r.epsilon_nanos FROM released_integers r"
            + " WHERE r.dataset_id = ? AND r.series = ? AND r.epsilon_nanos < ? AND length(r.content) > 0"
            + " AND NOT EXISTS (SELECT 1 FROM refinement f WHERE f.refined = r.query_id)"
            + " ORDER BY r.epsilon_nanos DESC, r.query_id DESC LIMIT 1";

    private static final String OPEN = "SELECT r.query_id FROM released_integers r"
            + " JOIN question q ON q.query_id = r.query_id WHERE q.account = ? AND length(r.content) > 0";

    private final StoreConnection connection;

    SqlRefinements(StoreConnection connection) {
        this.connection = connection;
    }

    /** The integers that an answer released. */
    record Row(String queryId, String datasetId, Released released) {
        /** The row without the integers, so that the answer cannot be refined. */
        Row ended() {
            return new Row(queryId, datasetId, new Released(released.series(), released.epsilon(), new byte[0]));
        }
    }

    /** @param by the question that refined it */
    record Refinement(String refined, Refines by) {}

    @Override
    public Optional<Released> released(String queryId) throws SQLException {
        return RELEASED.find(connection, queryId).map(Row::released);
    }

    @Override
    public void keep(BookedQuestion question, Released released) throws SQLException {
        RELEASED.insert(
                connection,
                JournaledQuestions.chain(question),
                new Row(question.queryId(), question.datasetId(), released));
    }

    @Override
    public Optional<Refines> refinedBy(String queryId) throws SQLException {
        return REFINED.find(connection, queryId).map(Refinement::by);
    }

    @Override
    public Optional<String> refinedIn(String queryId) throws SQLException {
        return REFINED.all(connection, REFINED_BY, queryId).stream()
                .map(Refinement::refined)
                .findFirst();
    }

    @Override
    public void add(BookedQuestion question, Refines refines) throws SQLException {
        REFINED.insert(
                connection,
                JournaledQuestions.chain(question),
                new Refinement(refines.queryId(), new Refines(question.queryId(), refines.epsilon())));
    }

    @Override
    public Optional<Refines> below(String datasetId, byte[] series, Epsilon epsilon) throws SQLException {
        return connection.first(
                BELOW,
                row -> new Refines(row.getString(1), new Epsilon(row.getLong(2))),
                datasetId,
                series,
                epsilon.nanos());
    }

    /**
     * Ends the chains of an account whose entries were lost. A question that is not in the copy may have refined an
     * answer, and a second refinement of it must not follow.
     */
    static int end(StoreConnection connection, String account) throws SQLException {
        List<String> open = connection.all(OPEN, row -> row.getString(1), account);
        for (String queryId : open) {
            RELEASED.change(connection, Row::ended, queryId);
        }
        return open.size();
    }
}
