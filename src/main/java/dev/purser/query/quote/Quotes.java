package dev.purser.query.quote;

import dev.purser.dataset.Dataset;
import dev.purser.ledger.AccountBooks;
import dev.purser.ledger.Budget;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import dev.purser.problem.Violations;
import dev.purser.query.Accuracy;
import dev.purser.query.AllowanceFields;
import dev.purser.query.FreeOffers;
import dev.purser.query.FreeOffers.FreeFrom;
import dev.purser.query.MechanismView;
import dev.purser.query.Question;
import dev.purser.query.QuestionRequest;
import dev.purser.query.RefinedQuestions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Quotes the charge and the expected accuracy of questions. It reads only the books: no row is read, nothing is charged
 * and nothing is reserved. A question that is affordable now may not be affordable when it is asked.
 */
@Service
public class Quotes {
    /** The largest integer that every client reads exactly. */
    private static final long MOST_TIMES = (1L << 53) - 1;

    private static final BigDecimal ABOVE_ALL_TARGETS = BigDecimal.valueOf(Double.MAX_VALUE);

    /** The most values of all questions together that are bought at once. */
    static final long MAX_VALUES = 200_000;

    private final AccountBooks books;
    private final FreeOffers offers;

    public Quotes(AccountBooks books, FreeOffers offers) {
        this.books = books;
        this.offers = offers;
    }

    /** A question as it is asked at its epsilon, and what a quote says of it. */
    record Priced(QuestionRequest asked, Accuracy accuracy, MechanismView mechanism, PrivacyAmount charge, long rows) {}

    /**
     * Quotes one question.
     *
     * @param asker the principal whose allotment counts
     * @throws ProblemException {@code validation-failed} for a target that no permitted epsilon meets; {@code
     *     mechanism-not-private}
     */
    public Quote quote(Dataset dataset, QuoteRequest request, String asker) {
        List<Priced> priced = each(List.of(request), (one, epsilon) -> priced(one, epsilon, dataset));
        return quoted(
                priced.getFirst(),
                standing(dataset, asker, priced),
                freeFrom(dataset, priced).getFirst(),
                refines(dataset, priced.getFirst()));
    }

    /**
     * Quotes a plan as a whole and each of its questions.
     *
     * @param asker the principal whose allotment counts
     * @throws ProblemException as {@link #quote}, with all targets that cannot be met
     */
    public PlanQuote quotePlan(Dataset dataset, List<QuoteRequest> plan, String asker) {
        List<Priced> priced = each(plan, (request, epsilon) -> priced(request, epsilon, dataset));
        Spendable standing = standing(dataset, asker, priced);
        Budget budget = standing.budget();
        Spendable.Fit fit = standing.fit(priced);
        List<Optional<FreeFrom>> free = freeFrom(dataset, priced);
        return new PlanQuote(
                budget.stated(fit.charge()),
                fit.isAffordable(),
                fit.unable(),
                Math.min(MOST_TIMES, fit.times()),
                IntStream.range(0, priced.size())
                        .mapToObj(i -> quoted(priced.get(i), standing, free.get(i), refines(dataset, priced.get(i))))
                        .toList(),
                cheaper(dataset, priced, fit.charge())
                        .map(found -> new PlanQuote.CheaperSynopsis(
                                found.request(), found.epsilon(), budget.stated(found.charge())))
                        .orElse(null));
    }

    private Spendable standing(Dataset dataset, String asker, List<Priced> priced) {
        Budget budget = books.budget(dataset.account());
        return dataset.blocks()
                .<Spendable>map(blocks -> new Spendable.OfBlocks(
                        budget,
                        blocks,
                        books.blocks(
                                dataset.account(),
                                asker,
                                Spendable.OfBlocks.charges(priced).hull())))
                .orElseGet(() -> new Spendable.OfAccount(budget, budget.remainingFor(asker)));
    }

    /** For each question, the synopsis that answers it for nothing. */
    private List<Optional<FreeFrom>> freeFrom(Dataset dataset, List<Priced> priced) {
        Optional<FreeOffers.Bought> bought = offers.of(dataset);
        return priced.stream()
                .map(each -> bought.flatMap(synopses -> synopses.answering(each.asked())))
                .toList();
    }

    private Optional<FreeOffers.Cheaper> cheaper(Dataset dataset, List<Priced> priced, PrivacyAmount total) {
        return priced.size() < 2
                ? Optional.empty()
                : offers.cheaper(
                        dataset,
                        priced.stream()
                                .map(each -> new FreeOffers.Wanted(
                                        each.asked(), each.accuracy().alpha()))
                                .toList(),
                        total);
    }

    /**
     * The questions of a plan as they are asked: at the epsilon that its quote states.
     *
     * @throws ProblemException as {@link #quotePlan}; {@code validation-failed} if the plan is too large
     */
    public static List<QuestionRequest> asked(Dataset dataset, List<QuoteRequest> plan) {
        Counted counted = new Counted();
        return each(plan, (request, epsilon) -> {
            QuestionRequest asked = request.asked(epsilon, dataset);
            counted.add(QuestionRequest.values(List.of(asked), QuestionRequest.rows(List.of(asked), dataset)));
            return asked;
        });
    }

    /** Counts the values of a plan as its questions are made, because a plan that is too large takes much memory. */
    private static final class Counted {
        private int questions;
        private long values;

        private void add(long more) {
            questions++;
            values += Math.min(more, MAX_VALUES + 1);
            if (values > MAX_VALUES) {
                throw ProblemException.validation(Violation.atPointer(
                        "",
                        "the questions of a plan that is bought may have at most " + MAX_VALUES
                                + " values in all; the first " + questions + " of these have more"));
            }
        }
    }

    private static Quote quoted(
            Priced priced, Spendable standing, Optional<FreeFrom> free, RefinedQuestions.@Nullable Offer refines) {
        Spendable.Fit fit = standing.fit(List.of(priced));
        return new Quote(
                priced.asked().question().kind().name(),
                priced.asked().question().allowance().epsilon(),
                standing.budget().stated(priced.charge()),
                fit.isAffordable(),
                fit.unable(),
                priced.accuracy(),
                priced.mechanism(),
                free.orElse(null),
                refines);
    }

    /** The stored answer that can be made as good as the answer to this question. */
    private RefinedQuestions.@Nullable Offer refines(Dataset dataset, Priced priced) {
        return RefinedQuestions.offered(books, dataset, priced.asked(), priced.rows())
                .orElse(null);
    }

    /**
     * Quotes a refinement of an answer.
     *
     * @param before the epsilon of the chain up to the answer
     * @param refining the question that refines the answer, by the epsilon that is charged in addition
     * @throws ProblemException {@code validation-failed} for a target that is met already, or by no permitted epsilon;
     *     {@code not-refinable}
     */
    public Quote quoteRefinement(
            Dataset dataset,
            RefinementQuote request,
            Epsilon before,
            Function<Epsilon, QuestionRequest> refining,
            String asker) {
        Epsilon more = request.more(before, epsilon -> expected(refining.apply(epsilon), dataset));
        QuestionRequest asked = refining.apply(more);
        Budget budget = books.budget(dataset.account());
        PrivacyAmount charge = PrivacyAmount.pure(more);
        return new Quote(
                RefinedQuestions.KIND,
                more,
                budget.stated(charge),
                RefinedQuestions.fits(books, dataset, asked, charge, asker),
                null,
                asked.question().expected(rows(asked, dataset)),
                MechanismView.of(asked.question()),
                null,
                null);
    }

    private static BigDecimal expected(QuestionRequest asked, Dataset dataset) {
        return asked.question().expected(rows(asked, dataset)).alpha();
    }

    private static long rows(QuestionRequest asked, Dataset dataset) {
        long most = QuestionRequest.rows(List.of(asked), dataset);
        return Math.max(1, most / asked.question().groups());
    }

    private static <T> List<T> each(List<QuoteRequest> requests, BiFunction<QuoteRequest, Epsilon, T> made) {
        List<T> all = new ArrayList<>(requests.size());
        Violations unmet = new Violations();
        for (QuoteRequest request : requests) {
            try {
                epsilon(request, unmet)
                        .map(epsilon -> made.apply(request, epsilon))
                        .ifPresent(all::add);
            } catch (ProblemException refusal) {
                throw refusal.within(request.place());
            }
        }
        unmet.throwIfAny();
        return all;
    }

    private static Priced priced(QuoteRequest request, Epsilon epsilon, Dataset dataset) {
        QuestionRequest asked = request.asked(epsilon, dataset);
        Question<?> question = asked.question();
        question.requireUseOfDelta();
        return new Priced(
                asked,
                request.expected(question),
                MechanismView.of(question),
                request.accountant().charge(question.charged()),
                request.rows(question));
    }

    private static Optional<Epsilon> epsilon(QuoteRequest request, Violations unmet) {
        return switch (request.aim()) {
            case QuoteRequest.Aim.Exactly(Epsilon epsilon) -> Optional.of(epsilon);
            case QuoteRequest.Aim.Within within -> {
                Optional<Epsilon> least = LeastEpsilon.meeting(within.alpha(), epsilon -> alpha(request, epsilon));
                if (least.isEmpty()) {
                    unmet.add(unmet(request, within));
                }
                yield least;
            }
        };
    }

    /**
     * The expected alpha. If the question is refused at this epsilon but not at the largest, the result is above every
     * target. If it is refused at both, the result is zero, which moves the search to smaller epsilons. If no epsilon
     * helps, the final question reports the refusal.
     */
    private static BigDecimal alpha(QuoteRequest request, Epsilon epsilon) {
        try {
            return request.expected(request.at(epsilon)).alpha();
        } catch (ProblemException refusal) {
            return takesTheMost(request) ? ABOVE_ALL_TARGETS : BigDecimal.ZERO;
        }
    }

    private static boolean takesTheMost(QuoteRequest request) {
        try {
            request.at(AllowanceFields.MOST_EPSILON);
            return true;
        } catch (ProblemException refusal) {
            return false;
        }
    }

    private static Violation unmet(QuoteRequest request, QuoteRequest.Aim.Within within) {
        Accuracy nearest = request.expected(request.at(AllowanceFields.MOST_EPSILON));
        return Violation.atPointer(
                request.place() + "/" + QuoteRequest.TARGET_ALPHA,
                QuoteRequest.TARGET_ALPHA + " must be at least "
                        + nearest.alpha().toPlainString()
                        + ", which the largest epsilon of one question, " + AllowanceFields.MOST_EPSILON
                        + ", comes to here, was " + within.alpha().toPlainString());
    }
}
