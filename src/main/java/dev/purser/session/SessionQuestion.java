package dev.purser.session;

import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.JsonDocument;
import dev.purser.problem.ProblemException;
import dev.purser.query.ComparedStatistic;
import dev.purser.query.ThresholdItem;
import java.util.List;
import java.util.Optional;

/**
 * A question of a session, read as far as it does not depend on the session: an outcome that is stored needs no more.
 *
 * @param sequence 1 for the first question of a session
 */
public record SessionQuestion(long sequence, JsonDocument document) {
    /** The body as the API describes it. */
    public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "ThresholdSessionQuestion",
            "",
            List.of(
                    Field.required(
                                    "sequence",
                                    new FieldType.Plain(long.class),
                                    "1 for the first question, then one more each.")
                            .withExample("1"),
                    Field.required("query", ThresholdItem.TYPE, "")));

    /** An example. */
    public static final String VISITS = """
            {"sequence": 1, "query": {"count": {"where": [{"column": "age", "atLeast": 60}]}}}""";

    /**
     * Reads the number alone.
     *
     * @throws ProblemException {@code validation-failed}
     */
    public static SessionQuestion of(JsonDocument document) {
        return document.read(in -> {
            in.required("query");
            Optional<Long> sequence = in.required("sequence").integer(1, Integer.MAX_VALUE);
            return in.complete(() -> new SessionQuestion(sequence.orElseThrow(), document));
        });
    }

    /**
     * Reads what is asked.
     *
     * @throws ProblemException {@code validation-failed}
     */
    ComparedStatistic read(SessionDeclaration declaration, Dataset dataset) {
        return document.read(in -> {
            in.required("sequence");
            Optional<ComparedStatistic> question = declaration.question(in.required("query"), dataset);
            return in.complete(question::orElseThrow);
        });
    }
}
