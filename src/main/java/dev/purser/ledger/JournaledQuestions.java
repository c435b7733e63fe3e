package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the journal records of questions. That a question was charged is in the books, as an entry of its own. */
@Configuration(proxyBeanMethods = false)
class JournaledQuestions {
    private static final String ANSWERS = """
            SELECT q.query_id, q.account, q.dataset_id, q.principal, q.operation, q.idempotency_key, q.request_digest,
                q.body, l.length, l.digests
            FROM question q LEFT JOIN long_answer l ON l.query_id = q.query_id
            WHERE q.account = ? AND q.body IS NOT NULL
            """;

    private static final String FORMS = """
            SELECT c.query_id, c.dataset_id, c.digest, c.column_names
            FROM canonical_question c JOIN question q ON q.query_id = c.query_id WHERE q.account = ?
            """;

    static final String PLANS = """
            SELECT principal, operation, idempotency_key, account, dataset_id, request_digest, items FROM plan
            """;

    /** No answer's. In its place, an answer is not the one that the journal has. */
    private static final LongAnswer CHANGED = new LongAnswer(0, new byte[0]);

    static Chain chain(BookedQuestion question) {
        return Chain.ofAccount(question.account());
    }

    /** The object of an answer. */
    static String answerOf(String queryId) {
        return "answer " + queryId;
    }

    /** The answer of a question, with the question that it answers. */
    static JournaledRow answer(BookedQuestion question) {
        byte[] beginning = Objects.requireNonNull(question.answerBeginning());
        LongAnswer whole = question.longAnswer();
        return answer(
                question.queryId(),
                question.account(),
                question.datasetId(),
                question.identity(),
                question.requestDigest(),
                beginning,
                whole == null || whole.hasPiece(0, beginning) ? whole : CHANGED);
    }

    /** Only a long answer has the last two fields. So none of its rows is that of an answer that is a beginning. */
    private static JournaledRow answer(
            String queryId,
            String account,
            String datasetId,
            RequestIdentity identity,
            byte[] requestDigest,
            byte[] beginning,
            @Nullable LongAnswer whole) {
        CanonicalBytes row = new CanonicalBytes()
                .text(account)
                .text(datasetId)
                .text(identity.principal())
                .text(identity.operation())
                .text(identity.idempotencyKey())
                .bytes(requestDigest)
                .bytes(Sha256.of(beginning));
        return new JournaledRow(
                answerOf(queryId),
                whole == null ? row : row.number(whole.length()).bytes(whole.digests()));
    }

    /** @param first the column of the length; the digests follow */
    static @Nullable LongAnswer longAnswer(ResultSet row, int first) throws SQLException {
        byte[] digests = row.getBytes(first + 1);
        return digests == null ? null : new LongAnswer(row.getLong(first), digests);
    }

    private static JournaledRow answer(StoreConnection connection, ResultSet row) throws SQLException {
        LongAnswer whole = longAnswer(row, 9);
        return answer(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                new RequestIdentity(row.getString(4), row.getString(5), row.getString(6)),
                row.getBytes(7),
                row.getBytes(8),
                whole == null || hasItsPieces(connection, row.getString(1), whole) ? whole : CHANGED);
    }

    private static boolean hasItsPieces(StoreConnection connection, String queryId, LongAnswer whole)
            throws SQLException {
        for (int number = 1; number < whole.pieces(); number++) {
            Optional<byte[]> piece =
                    connection.first(SqlBooks.ANSWER_PIECE, found -> found.getBytes(1), queryId, number);
            if (piece.isEmpty() || !whole.hasPiece(number, piece.orElseThrow())) {
                return false;
            }
        }
        return true;
    }

    /** The form of a question: it decides whose answer is reused. */
    static JournaledRow form(String queryId, String datasetId, byte[] digest, String columns) {
        return new JournaledRow(
                "form " + queryId,
                new CanonicalBytes().text(datasetId).bytes(digest).text(columns));
    }

    /** The object of a plan. No part of an identity but the operation has a space. */
    static String planOf(RequestIdentity identity) {
        return "plan " + identity.principal() + " " + identity.operation() + " " + identity.idempotencyKey();
    }

    /** A plan: it decides which answers a retry gets. */
    static JournaledRow plan(BookedPlan plan) {
        return new JournaledRow(
                planOf(plan.identity()),
                new CanonicalBytes()
                        .text(plan.account())
                        .text(plan.datasetId())
                        .bytes(plan.requestDigest())
                        .text(plan.text()));
    }

    /** @param row {@link #PLANS} */
    static BookedPlan plan(ResultSet row) throws SQLException {
        return new BookedPlan(
                new RequestIdentity(row.getString(1), row.getString(2), row.getString(3)),
                row.getString(4),
                row.getString(5),
                row.getBytes(6),
                BookedPlan.parse(row.getString(7)));
    }

    @Bean
    JournaledRows plans() {
        return new JournaledRows("plans", Chain.Kind.ACCOUNT, PLANS + "WHERE account = ?", row -> plan(plan(row)));
    }

    @Bean
    JournaledRows answers() {
        return new JournaledRows(
                "answers", Chain.Kind.ACCOUNT, ANSWERS, JournaledQuestions::answer, JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows forms() {
        return new JournaledRows(
                "forms",
                Chain.Kind.ACCOUNT,
                FORMS,
                row -> form(row.getString(1), row.getString(2), row.getBytes(3), row.getString(4)));
    }

    @Bean
    JournaledRows releasedIntegers() {
        return SqlRefinements.journaledIntegers();
    }

    @Bean
    JournaledRows refinements() {
        return SqlRefinements.journaledRefinements();
    }
}
