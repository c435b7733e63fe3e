package dev.purser.query;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Kinds of question that another module asks under paths of its own, and that no plan has. The module declares them as
 * a bean. Apart from that, they are asked and answered like every kind.
 *
 * @param answer the name of an answer to a question of these kinds, in the API's description
 * @param description the description of such an answer
 */
public record SeparateKinds(String answer, String description, List<One> kinds) {
    /**
     * One kind.
     *
     * @param path the path under which its questions are asked
     * @param operation the operation that asks its questions
     * @param tables reads from an answer's member {@code answer}, which is short, which tables the answer holds; null
     *     if the paths of all kinds do not quote this kind and do not refine its answers
     */
    public record One(
            QuestionKind kind,
            String path,
            String operation,
            @Nullable Function<JsonNode, RefinedQuestions.HeldTables> tables) {
        /** Whether it is quoted under the path of all kinds. */
        public boolean isQuoted() {
            return tables != null;
        }
    }
}
