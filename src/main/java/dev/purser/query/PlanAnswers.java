package dev.purser.query;

import java.util.List;

/** The answers of a plan, in its order. */
public record PlanAnswers(List<QueryRunner.Reply> items) {
    /** Whether the plan was charged before under its key, and all answers were stored. */
    public boolean areReplayed() {
        return items.stream().anyMatch(QueryRunner.Reply.Replayed.class::isInstance)
                && items.stream().noneMatch(QueryRunner.Reply.Fresh.class::isInstance);
    }
}
