package dev.purser.query;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Kinds of question that another module asks under paths of its own, and that no plan has. The module declares them as
 * a bean. From their paths on, they are asked and answered like every kind.
 *
 * @param answer the name of an answer to a question of any of them, in the API's description
 * @param description of such an answer
 */
public record SeparateKinds(String answer, String description, List<One> kinds) {
    /**
     * One kind.
     *
     * @param path that asks it
     * @param operation that asks it
     * @param tables reads which tables an answer holds, from its member {@code answer}, which is short; null if the
     *     kind is neither quoted nor its answer refined under the paths of all kinds
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
