package dev.purser.query;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request for an answer: the question, its canonical form, and whether an earlier answer will do. */
public record QuestionRequest(Question<?> question, CanonicalQuestion canonical, Reuse reuse) {
    /** How old a reused answer may be; null if none may be reused. */
    @Nullable
    Duration maxAge() {
        return reuse.wanted() ? reuse.maxAge() : null;
    }
}
