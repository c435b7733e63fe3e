package dev.purser.query;

import dev.purser.ledger.StoredAnswer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import org.springframework.http.ResponseEntity;

/**
 * How the reply to a question becomes a response: the stored bytes, and headers that say whether they were stored
 * before, and for which question.
 */
public final class Replies {
    /** A header: the answer was stored before, for the same request. */
    public static final String REPLAYED = "Idempotency-Replayed";

    /** A header: the query id of the earlier question whose answer this is. */
    public static final String REUSED = "Answer-Reused";

    private Replies() {}

    /**
     * The whole answer, as its reader gets it.
     *
     * @param request keeps the answer, for the log
     * @return empty if it is long: {@code GET /v1/queries/{queryId}} sends it in parts
     */
    public static Optional<byte[]> shortBytes(QueryRunner.Reply reply, HttpServletRequest request) {
        StoredAnswer answer = reply.answer();
        request.setAttribute(StoredAnswer.class.getName(), answer);
        if (answer.whole() != null) {
            return Optional.empty();
        }
        if (!(reply instanceof QueryRunner.Reply.Reused(ReusedAnswer reused))) {
            return Optional.of(answer.beginning());
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(reused.head());
        whole.write(answer.beginning(), reused.rest(), answer.beginning().length - reused.rest());
        return Optional.of(whole.toByteArray());
    }

    /** @param request keeps the answer, for the log */
    public static ResponseEntity<?> sent(
            QueryRunner.Reply reply, ResponseEntity.BodyBuilder response, HttpServletRequest request) {
        request.setAttribute(StoredAnswer.class.getName(), reply.answer());
        return switch (reply) {
            case QueryRunner.Reply.Fresh(StoredAnswer answer) -> response.body(answer);
            case QueryRunner.Reply.Replayed(StoredAnswer answer) ->
                response.header(REPLAYED, "true").body(answer);
            case QueryRunner.Reply.Reused(ReusedAnswer reused) ->
                response.header(REUSED, reused.original().queryId()).body(reused);
        };
    }
}
