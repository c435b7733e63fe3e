package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.DecidingRows;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.BYTES;
import static dev.purser.journal.DecidingRows.Form.TEXT;

/**
 * The journal's records of questions. The charge of a question has no such record, because it is an entry of the books.
 */
@Configuration(proxyBeanMethods = false)
class JournaledQuestions {
    private static final String ANSWERS = """
            SELECT q.query_id, q.account, q.dataset_id, q.principal, q.operation, q.idempotency_key, q.request_digest,
                q.body, l.length, l.digests
            FROM question q LEFT JOIN long_answer l ON l.query_id = q.query_id
            WHERE q.account = ? AND q.body IS NOT NULL
            """;

    private static final String OF_ACCOUNT = "JOIN question q ON q.query_id = r.query_id WHERE q.account = ?";

    /** The forms of questions. They decide whose answer is reused. */
    static final DecidingRows<Form> FORMS = new DecidingRows<>(
            "canonical_question",
            "form %s",
            row -> new Form(row.getString(1), row.getString(2), row.getBytes(3), row.getString(4)),
            List.of(),
            List.of(
                    key("query_id", Form::queryId),
                    fixed(TEXT, "dataset_id", Form::datasetId),
                    fixed(BYTES, "digest", Form::digest),
                    fixed(TEXT, "column_names", Form::columns)));

    /** Plans. They decide which answers a retry gets. Only the operation of an identity can contain a space. */
    static final DecidingRows<BookedPlan> PLANS = new DecidingRows<>(
            "plan",
            "plan %s %s %s",
            row -> new BookedPlan(
                    new RequestIdentity(row.getString(1), row.getString(2), row.getString(3)),
                    row.getString(4),
                    row.getString(5),
                    row.getBytes(6),
                    BookedPlan.parse(row.getString(7))),
            List.of(),
            List.of(
                    key("principal", each -> each.identity().principal()),
                    key("operation", each -> each.identity().operation()),
                    key("idempotency_key", each -> each.identity().idempotencyKey()),
                    fixed(TEXT, "account", BookedPlan::account),
                    fixed(TEXT, "dataset_id", BookedPlan::datasetId),
                    fixed(BYTES, "request_digest", BookedPlan::requestDigest),
                    fixed(TEXT, "items", BookedPlan::text)));

    /**
     * A record that no answer has. It stands in for a record whose pieces were changed, so that the answer differs from
     * the journal's.
     */
    private static final LongAnswer CHANGED = new LongAnswer(0, new byte[0]);

    /** @param columns the columns in the form in which they are stored */
    record Form(String queryId, String datasetId, byte[] digest, String columns) {}

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

    /** Only a long answer has the last two fields, so its row never equals the row of a short answer. */
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

    @Bean
    JournaledRows plans() {
        return PLANS.journaled("plans", Chain.Kind.ACCOUNT, "WHERE r.account = ?", JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows answers() {
        return new JournaledRows(
                "answers", Chain.Kind.ACCOUNT, ANSWERS, JournaledQuestions::answer, JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows forms() {
        return FORMS.journaled("forms", Chain.Kind.ACCOUNT, OF_ACCOUNT, JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows releasedIntegers() {
        return SqlRefinements.RELEASED.journaled("releases", Chain.Kind.ACCOUNT, OF_ACCOUNT, SqlRefinements::end);
    }

    @Bean
    JournaledRows refinements() {
        return SqlRefinements.REFINED.journaled(
                "refinements", Chain.Kind.ACCOUNT, OF_ACCOUNT, JournaledRows.Ending.NONE);
    }
}
