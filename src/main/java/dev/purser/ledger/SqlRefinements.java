package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import dev.purser.privacy.Epsilon;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The SQL statements of refinements, and what the journal records of them. */
final class SqlRefinements implements Refinements {
    private static final String RELEASED =
            "SELECT r.query_id, r.dataset_id, r.series, r.epsilon_nanos, r.content FROM released_integers r";

    private static final String REFINED = "SELECT f.refined, f.query_id, f.epsilon_nanos FROM refinement f";

    /** Of the rows alone: whether they are as recorded is found out when the answer is refined. */
    private static final String BELOW = "SELECT r.query_id, r.epsilon_nanos FROM released_integers r"
            + " WHERE r.dataset_id = ? AND r.series = ? AND r.epsilon_nanos < ? AND length(r.content) > 0"
            + " AND NOT EXISTS (SELECT 1 FROM refinement f WHERE f.refined = r.query_id)"
            + " ORDER BY r.epsilon_nanos DESC, r.query_id DESC LIMIT 1";

    private final StoreConnection connection;
    private final Journal journal;

    SqlRefinements(StoreConnection connection) {
        this.connection = connection;
        this.journal = new Journal(connection);
    }

    /** The row of an answer. */
    private record Row(String queryId, String datasetId, Released released) {
        static Row of(ResultSet row) throws SQLException {
            return new Row(
                    row.getString(1),
                    row.getString(2),
                    new Released(row.getBytes(3), new Epsilon(row.getLong(4)), row.getBytes(5)));
        }

        JournaledRow journaled() {
            return new JournaledRow(
                    releasedBy(queryId),
                    new CanonicalBytes()
                            .text(datasetId)
                            .bytes(released.series())
                            .number(released.epsilon().nanos())
                            .bytes(Sha256.of(released.integers())));
        }
    }

    private static String releasedBy(String queryId) {
        return "released " + queryId;
    }

    private static String refinementOf(String queryId) {
        return "refinement of " + queryId;
    }

    private static JournaledRow journaled(String refined, Refines by) {
        return new JournaledRow(
                refinementOf(refined),
                new CanonicalBytes().text(by.queryId()).number(by.epsilon().nanos()));
    }

    private static Refines by(ResultSet row) throws SQLException {
        return new Refines(row.getString(2), new Epsilon(row.getLong(3)));
    }

    @Override
    public Optional<Released> released(String queryId) throws SQLException {
        Optional<Row> found = connection.first(RELEASED + " WHERE r.query_id = ?", Row::of, queryId);
        if (found.isPresent()) {
            journal.require(found.orElseThrow().journaled());
        } else {
            journal.requireNever(releasedBy(queryId));
        }
        return found.map(Row::released);
    }

    @Override
    public void keep(BookedQuestion question, Released released) throws SQLException {
        Row row = new Row(question.queryId(), question.datasetId(), released);
        connection.update(
                "INSERT INTO released_integers VALUES (?, ?, ?, ?, ?)",
                row.queryId(),
                row.datasetId(),
                released.series(),
                released.epsilon().nanos(),
                released.integers());
        journal.record(JournaledQuestions.chain(question), row.journaled());
    }

    @Override
    public Optional<Refines> refinedBy(String queryId) throws SQLException {
        Optional<Refines> found = connection.first(REFINED + " WHERE f.refined = ?", SqlRefinements::by, queryId);
        if (found.isPresent()) {
            journal.require(journaled(queryId, found.orElseThrow()));
        } else {
            journal.requireNever(refinementOf(queryId));
        }
        return found;
    }

    @Override
    public Optional<String> refinedIn(String queryId) throws SQLException {
        Optional<String> refined =
                connection.first(REFINED + " WHERE f.query_id = ?", row -> row.getString(1), queryId);
        if (refined.isPresent()) {
            refinedBy(refined.orElseThrow());
        }
        return refined;
    }

    @Override
    public void add(BookedQuestion question, Refines refines) throws SQLException {
        Refines by = new Refines(question.queryId(), refines.epsilon());
        connection.update(
                "INSERT INTO refinement VALUES (?, ?, ?)",
                refines.queryId(),
                by.queryId(),
                by.epsilon().nanos());
        journal.record(JournaledQuestions.chain(question), journaled(refines.queryId(), by));
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
     * Ends the chains of an account whose entries were lost: an answer may have been refined by a question that is not
     * in the copy, and would be refined again.
     */
    private static int end(StoreConnection connection, String account) throws SQLException {
        // Without the integers, which can be long.
        List<Row> open = connection.all(
                RELEASED.replace("r.content", "NULL") + " JOIN question q ON q.query_id = r.query_id"
                        + " WHERE q.account = ? AND length(r.content) > 0",
                Row::of,
                account);
        Journal journal = new Journal(connection);
        for (Row row : open) {
            Released ended =
                    new Released(row.released().series(), row.released().epsilon(), new byte[0]);
            connection.update(
                    "UPDATE released_integers SET content = ? WHERE query_id = ?", ended.integers(), row.queryId());
            journal.record(Chain.ofAccount(account), new Row(row.queryId(), row.datasetId(), ended).journaled());
        }
        return open.size();
    }

    /** What the journal records of released integers. */
    static JournaledRows journaledIntegers() {
        return new JournaledRows(
                "releases",
                Chain.Kind.ACCOUNT,
                RELEASED + " JOIN question q ON q.query_id = r.query_id WHERE q.account = ?",
                (connection, row) -> Row.of(row).journaled(),
                SqlRefinements::end);
    }

    /** What the journal records of refinements. */
    static JournaledRows journaledRefinements() {
        return new JournaledRows(
                "refinements",
                Chain.Kind.ACCOUNT,
                REFINED + " JOIN question q ON q.query_id = f.query_id WHERE q.account = ?",
                row -> journaled(row.getString(1), by(row)));
    }
}
