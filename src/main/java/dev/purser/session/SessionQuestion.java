package dev.purser.session;

import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.problem.ProblemException;
import dev.purser.query.ComparedStatistic;
import dev.purser.query.ThresholdItem;
import java.util.Optional;

/**
 * A question of a session, of which only the number was read. A stored outcome is found without the rest.
 *
 * @param sequence 1 for the first question of a session
 */
public record SessionQuestion(long sequence, JsonDocument document) {
    private static final Field<Long> SEQUENCE = Field.required(
            "sequence",
            FieldType.longInteger(1, Integer.MAX_VALUE),
            "1 for the first question, then one more each.",
            "1");

    /** The query is read later, because its form depends on the session. */
    private static final Field<ValueReader> QUERY =
            Field.required("query", FieldType.unread(ThresholdItem.TYPE.shape()), "");

    /** The body as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf("ThresholdSessionQuestion", SEQUENCE, QUERY);

    /** An example. */
    public static final String VISITS = """
            {"sequence": 1, "query": {"count": {"where": [{"column": "age", "atLeast": 60}]}}}""";

    /**
     * Reads the sequence number alone.
     *
     * @throws ProblemException {@code validation-failed}
     */
    public static SessionQuestion of(JsonDocument document) {
        return document.read(in -> {
            in.read(QUERY);
            Optional<Long> sequence = in.read(SEQUENCE);
            return in.complete(() -> new SessionQuestion(sequence.orElseThrow(), document));
        });
    }

    /**
     * Reads the query.
     *
     * @throws ProblemException {@code validation-failed}
     */
    ComparedStatistic read(SessionDeclaration declaration, Dataset dataset) {
        return document.read(in -> {
            in.know(SEQUENCE);
            Optional<ComparedStatistic> question = in.read(QUERY).flatMap(sent -> declaration.question(sent, dataset));
            return in.complete(question::orElseThrow);
        });
    }
}
