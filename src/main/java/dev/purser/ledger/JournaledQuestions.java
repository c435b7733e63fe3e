package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the journal records of questions. That a question was charged is in the books, as an entry of its own. */
@Configuration(proxyBeanMethods = false)
class JournaledQuestions {
    private static final String ANSWERS = """
            SELECT query_id, account, dataset_id, principal, operation, idempotency_key, request_digest, body
            FROM question WHERE account = ? AND body IS NOT NULL
            """;

    private static final String FORMS = """
            SELECT c.query_id, c.dataset_id, c.digest, c.column_names
            FROM canonical_question c JOIN question q ON q.query_id = c.query_id WHERE q.account = ?
            """;

    private static final String READERS = """
            SELECT r.query_id, r.principal FROM reader r JOIN question q ON q.query_id = r.query_id WHERE q.account = ?
            """;

    static final String PLANS = """
            SELECT principal, operation, idempotency_key, account, dataset_id, request_digest, items FROM plan
            """;

    static Chain chain(BookedQuestion question) {
        return Chain.ofAccount(question.account());
    }

    /** The object of an answer. */
    static String answerOf(String queryId) {
        return "answer " + queryId;
    }

    /** The answer of a question, with the question that it answers. */
    static JournaledRow answer(BookedQuestion question, byte[] answerDigest) {
        return answer(
                question.queryId(),
                question.account(),
                question.datasetId(),
                question.identity(),
                question.requestDigest(),
                answerDigest);
    }

    private static JournaledRow answer(
            String queryId,
            String account,
            String datasetId,
            RequestIdentity identity,
            byte[] requestDigest,
            byte[] answerDigest) {
        return new JournaledRow(
                answerOf(queryId),
                new CanonicalBytes()
                        .text(account)
                        .text(datasetId)
                        .text(identity.principal())
                        .text(identity.operation())
                        .text(identity.idempotencyKey())
                        .bytes(requestDigest)
                        .bytes(answerDigest));
    }

    private static JournaledRow answer(ResultSet row) throws SQLException {
        return answer(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                new RequestIdentity(row.getString(4), row.getString(5), row.getString(6)),
                row.getBytes(7),
                Sha256.of(row.getBytes(8)));
    }

    /** The form of a question: it decides whose answer is reused. */
    static JournaledRow form(String queryId, String datasetId, byte[] digest, String columns) {
        return new JournaledRow(
                "form " + queryId,
                new CanonicalBytes().text(datasetId).bytes(digest).text(columns));
    }

    /** Somebody who may read the answer of somebody else's question. */
    static JournaledRow reader(String queryId, String principal) {
        return new JournaledRow("reader " + queryId + " " + principal, new CanonicalBytes());
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
        return new JournaledRows("answers", Chain.Kind.ACCOUNT, ANSWERS, JournaledQuestions::answer);
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
    JournaledRows readers() {
        return new JournaledRows(
                "readers", Chain.Kind.ACCOUNT, READERS, row -> reader(row.getString(1), row.getString(2)));
    }
}
