package dev.purser.synopsis;

import dev.purser.accounting.Accountant;
import dev.purser.admission.AdmissionControl;
import dev.purser.dataset.Dataset;
import dev.purser.mechanism.NoisySynopsis;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.query.AllowanceFields;
import dev.purser.query.AskedStatistic;
import dev.purser.query.Draft;
import dev.purser.query.FreeOffers;
import dev.purser.query.QuestionRequest;
import dev.purser.query.ShownDecimals;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/** Offers the synopses of a dataset, and synopses that would be cheaper than a plan. */
@Component
class SynopsisOffers implements FreeOffers {
    /** The most synopses that are looked at, the newest first. */
    private static final int NEWEST = 20;

    /** The most bytes of stored answers. A quote is not heavy work, so it must not take more memory. */
    private static final long MAX_BYTES = 1 << 20;

    private final Synopses synopses;
    private final AdmissionControl admission;

    SynopsisOffers(Synopses synopses, AdmissionControl admission) {
        this.synopses = synopses;
        this.admission = admission;
    }

    @Override
    public Optional<Bought> of(Dataset dataset) {
        List<Synopsis> newest = synopses.newest(dataset, NEWEST, MAX_BYTES);
        Map<String, Estimates> known = new HashMap<>();
        return newest.isEmpty() ? Optional.empty() : Optional.of(question -> best(question, newest, known));
    }

    @Override
    public Optional<FreeFrom> answering(String principal, Dataset dataset, QuestionRequest question) {
        return admission.looking(principal, () -> of(dataset).flatMap(bought -> bought.answering(question)));
    }

    /** The synopsis with the least alpha. If no alpha is stated, the newest synopsis that answers the question. */
    private Optional<FreeFrom> best(QuestionRequest question, List<Synopsis> bought, Map<String, Estimates> known) {
        AskedStatistic asked = question.question().statistic();
        if (asked == null) {
            return Optional.empty();
        }
        double beta = asked.beta().doubleValue();
        return bought.stream()
                .filter(synopsis -> synopsis.isAbout(question))
                .flatMap(synopsis -> Translation.of(asked, synopsis).stream()
                        .map(free -> new FreeFrom(
                                synopsis.id(),
                                free.hasQuickAlpha(synopsis)
                                        ? alpha(
                                                free,
                                                known.computeIfAbsent(
                                                        synopsis.id(),
                                                        id -> Estimates.planned(
                                                                synopsis, synopses.precision(synopsis))),
                                                beta)
                                        : null)))
                .min(Comparator.comparing(FreeFrom::alpha, Comparator.nullsLast(Comparator.naturalOrder())));
    }

    private static BigDecimal alpha(FreeQuestion free, Estimates planned, double beta) {
        return ShownDecimals.bound(BigDecimal.valueOf(
                free.answer(planned, beta / free.numbers(), false).alpha()));
    }

    @Override
    public Optional<Cheaper> cheaper(Dataset dataset, List<Wanted> plan, PrivacyAmount charge) {
        return PlannedCells.of(dataset, plan).flatMap(cells -> {
            SynopsisCells bought = cells.asBought();
            Search search = new Search(dataset.registration().accountant(), cells, bought, cells.draft(bought), plan);
            return search.leastEpsilon()
                    .map(epsilon -> new Cheaper(cells.request(epsilon), epsilon, search.charge(epsilon)))
                    .filter(found -> found.charge().fitsWithin(charge) && !charge.equals(found.charge()));
        });
    }

    /** Looks for the least epsilon at which a synopsis is as precise as a plan. */
    private record Search(
            Accountant accountant, PlannedCells cells, SynopsisCells bought, Draft draft, List<Wanted> plan) {
        private PrivacyAmount charge(Epsilon epsilon) {
            return accountant.charge(accountant.allowance(epsilon, Delta.ZERO).event());
        }

        private Optional<Epsilon> leastEpsilon() {
            long misses = AllowanceFields.LEAST_EPSILON.nanos();
            long meets = plan.stream()
                    .mapToLong(each ->
                            each.question().question().allowance().epsilon().nanos())
                    .sum();
            meets = Math.min(meets, AllowanceFields.MOST_EPSILON.nanos());
            List<Planned> questions =
                    planned(meets).map(most -> translated(most.synopsis())).orElse(List.of());
            if (questions.size() < plan.size() || !suffices(meets, questions)) {
                return Optional.empty();
            }
            // Three digits are enough to compare with a plan.
            while (meets - misses > meets / 1000) {
                long middle = misses + (meets - misses) / 2;
                if (suffices(middle, questions)) {
                    meets = middle;
                } else {
                    misses = middle;
                }
            }
            return Optional.of(new Epsilon(meets));
        }

        /** The synopsis at an epsilon; empty if the epsilon is too small for its tables. */
        private Optional<Estimates> planned(long nanos) {
            PrivacyAllowance allowance = accountant.allowance(new Epsilon(nanos), Delta.ZERO);
            try {
                return draft.at(allowance).mechanism() instanceof NoisySynopsis mechanism
                        ? Optional.of(Estimates.planned(cells.synopsis(bought, mechanism), mechanism.precision()))
                        : Optional.empty();
            } catch (ProblemException tooLittleForItsTables) {
                return Optional.empty();
            }
        }

        /** The questions that the synopsis answers. The epsilon does not change which questions it answers. */
        private List<Planned> translated(Synopsis synopsis) {
            return plan.stream()
                    .flatMap(wanted -> Stream.ofNullable(
                                    wanted.question().question().statistic())
                            .flatMap(asked -> Translation.of(asked, synopsis).stream()
                                    .map(free -> new Planned(
                                            free,
                                            asked.beta().doubleValue() / free.numbers(),
                                            wanted.alpha().doubleValue()))))
                    .toList();
        }

        private boolean suffices(long nanos, List<Planned> questions) {
            return planned(nanos)
                    .filter(estimates -> questions.stream().allMatch(each -> each.isAnsweredBy(estimates)))
                    .isPresent();
        }
    }

    /**
     * A question of a plan, about a synopsis.
     *
     * @param beta the beta of each of its numbers
     * @param alpha the bound on its error in the plan
     */
    private record Planned(FreeQuestion free, double beta, double alpha) {
        boolean isAnsweredBy(Estimates estimates) {
            return free.answer(estimates, beta, false).alpha() <= alpha;
        }
    }
}
