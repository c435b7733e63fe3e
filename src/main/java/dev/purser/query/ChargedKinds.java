package dev.purser.query;

import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Every kind of question that the ledger has entries of: {@link QuestionKinds}, and the kinds of other modules.
 *
 * @param separate the kinds of other modules
 */
@Component
public record ChargedKinds(List<SeparateKinds> separate) {
    /** All kinds, of every module. */
    public List<QuestionKind> all() {
        return with(_ -> true);
    }

    /** The kinds that can be quoted. */
    public List<QuestionKind> quoted() {
        return with(SeparateKinds.One::isQuoted);
    }

    private List<QuestionKind> with(Predicate<SeparateKinds.One> chosen) {
        return Stream.concat(
                        QuestionKinds.ALL.stream(), ofOthers().filter(chosen).map(SeparateKinds.One::kind))
                .toList();
    }

    /** The kinds of other modules, one by one. */
    public Stream<SeparateKinds.One> ofOthers() {
        return separate.stream().flatMap(each -> each.kinds().stream());
    }

    /** A kind that the ledger has entries of. */
    public Optional<QuestionKind> named(String name) {
        return QuestionKinds.named(name, all());
    }

    /** A kind that can be quoted. */
    public Optional<QuestionKind> quoted(String name) {
        return QuestionKinds.named(name, quoted());
    }

    /** The function that reads from an answer of this kind which tables it holds; empty if such answers hold none. */
    Optional<Function<JsonNode, RefinedQuestions.HeldTables>> tables(QuestionKind kind) {
        return ofOthers()
                .filter(each -> each.kind() == kind)
                .flatMap(each -> Stream.ofNullable(each.tables()))
                .findFirst();
    }

    /**
     * The name of the kind whose questions are wanted; null if the questions of every kind are wanted.
     *
     * @throws ProblemException {@code validation-failed} if no kind has this name
     */
    public @Nullable String known(@Nullable String kind) {
        if (kind != null && named(kind).isEmpty()) {
            throw ProblemException.validation(
                    Violation.ofParameter("kind", "kind must be " + QuestionKinds.unlisted(kind)));
        }
        return kind;
    }
}
