package dev.purser.query;

import dev.purser.access.Principal;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.json.Field;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.problem.ProblemException;
import dev.purser.query.quote.Quote;
import dev.purser.query.quote.QuoteRequest;
import dev.purser.query.quote.Quotes;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Service;

/** Quotes one question for a principal: in turn with others if that takes a search. */
@Service
public class Quoting {
    private final Quotes quotes;
    private final AdmissionControl admission;

    public Quoting(Quotes quotes, AdmissionControl admission) {
        this.quotes = quotes;
        this.admission = admission;
    }

    /** The request that quotes a question of a kind, without the fields about earlier answers. */
    public static Shape.ObjectOf form(QuestionKind kind) {
        Shape.ObjectOf sent = QuoteRequest.sentFor(kind);
        List<Field<?>> fields = sent.fields().stream()
                .filter(field -> !Reuse.FIELDS.contains(field))
                .toList();
        return new Shape.ObjectOf(sent.name(), sent.description(), fields);
    }

    /** Reads the request; the quote is made when it is asked for. */
    public Optional<Supplier<Object>> read(ObjectReader in, Principal principal, Dataset dataset, QuestionKind kind) {
        return QuoteRequest.read(in, dataset, kind).map(request -> () -> quote(principal, dataset, request));
    }

    /**
     * Quotes a question.
     *
     * @throws ProblemException as {@link Quotes#quote}
     */
    public Quote quote(Principal principal, Dataset dataset, QuoteRequest request) {
        return request.isHeavy()
                ? admission.heavily(principal.name(), () -> quotes.quote(dataset, request, principal.name()))
                : admission.looking(principal.name(), () -> quotes.quote(dataset, request, principal.name()));
    }
}
