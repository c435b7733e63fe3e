package dev.purser.session;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.DeltaRule;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.InteractiveSparseVector;
import dev.purser.mechanism.SparseVector;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.mechanism.ThresholdFamily;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.query.Accuracy;
import dev.purser.query.AllowanceFields;
import dev.purser.query.Beta;
import dev.purser.query.ComparedStatistic;
import dev.purser.query.ShownDecimals;
import dev.purser.query.Thresholds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a session declares when it is opened. The noise, the charges and the permitted questions follow from it alone.
 *
 * @param request what was sent, without what was left out
 * @param grid the grid on which questions are compared: whole rows, or the finest grid of the dataset's numbers
 * @param family what its questions have in common
 * @param charge the event that is charged at once: of the whole session, or of one instance
 * @param whole the event of the whole session, at most
 * @param maxQueries the most questions; empty without a limit
 */
public record Declaration(
        OpenSessionRequest request,
        Grid grid,
        ThresholdFamily family,
        int maxPositives,
        Payment payment,
        Kind queries,
        Release release,
        OptionalInt maxQueries,
        BigDecimal beta,
        PrivacyEvent charge,
        PrivacyEvent whole,
        InteractiveSparseVector mechanism) {
    private static final int MAX_POSITIVES = 1_000;
    private static final int MAX_QUERIES = 1_000_000;

    /** When a session is charged. */
    enum Payment {
        /** All at the opening. */
        UPFRONT,
        /** One instance at a time, each before its first question. */
        PER_POSITIVE
    }

    /** What a session's questions are. */
    enum Kind {
        COUNTS,
        /** Sums and clip losses. */
        SUMS
    }

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<Declaration> read(ObjectReader in, Dataset dataset) {
        Optional<Epsilon> epsilon = AllowanceFields.epsilon(in);
        Optional<Kind> queries = in.required("queries").label(Kind.values(), FieldType.Choice::word);
        Optional<Grid> grid = queries.flatMap(kind -> grid(in, kind, dataset));
        Optional<BigInteger> threshold = grid.isPresent()
                ? Thresholds.read(in, grid.orElseThrow())
                : in.required("threshold").decimal().map(unread -> BigInteger.ZERO);
        Optional<ThresholdFamily> family =
                queries.flatMap(kind -> grid.flatMap(known -> family(in, kind, known, dataset)));
        if (family.isEmpty()) {
            in.optional("sumBound").decimal();
        }
        Optional<Long> maxPositives = in.required("maxPositives").integer(1, MAX_POSITIVES);
        Optional<Release> release = in.optional("release").label(Release.values(), FieldType.Choice::word);
        Optional<Payment> payment = in.optional("payment").label(Payment.values(), FieldType.Choice::word);
        Optional<Long> maxQueries = in.optional("maxQueries").integer(1, MAX_QUERIES);
        Optional<Variant> variant = in.optional("variant").label(Variant.values(), FieldType.Choice::word);
        Optional<BigDecimal> beta = Beta.read(in);
        checkVariant(in, variant, release, payment);
        Accountant accountant = dataset.registration().accountant();
        if (accountant.deltaOfQuestion() != DeltaRule.ZERO) {
            in.refuse("threshold sessions need the accountant \"pure\" or \"zcdp\", the dataset has \""
                    + accountant.name() + "\"");
        }
        return in.complete(() -> of(
                new OpenSessionRequest(
                        epsilon.orElseThrow(),
                        shown(grid.orElseThrow(), threshold.orElseThrow()),
                        Math.toIntExact(maxPositives.orElseThrow()),
                        release.map(FieldType.Choice::word).orElse(null),
                        payment.map(FieldType.Choice::word).orElse(null),
                        FieldType.Choice.word(queries.orElseThrow()),
                        queries.orElseThrow() == Kind.SUMS
                                ? shown(grid.orElseThrow(), family.orElseThrow().l1Sensitivity())
                                : null,
                        maxQueries.map(Math::toIntExact).orElse(null),
                        variant.map(FieldType.Choice::word).orElse(null),
                        in.has("beta") ? beta.orElseThrow() : null),
                new Sent(
                        epsilon.orElseThrow(),
                        queries.orElseThrow(),
                        grid.orElseThrow(),
                        family.orElseThrow(),
                        threshold.orElseThrow(),
                        Math.toIntExact(maxPositives.orElseThrow()),
                        release.orElse(Release.INDICES),
                        payment.orElse(Payment.UPFRONT),
                        maxQueries
                                .map(most -> OptionalInt.of(Math.toIntExact(most)))
                                .orElse(OptionalInt.empty()),
                        variant.orElse(Variant.AUTOMATIC),
                        beta.orElseThrow()),
                accountant));
    }

    private static BigDecimal shown(Grid grid, BigInteger steps) {
        return ShownDecimals.plain(grid.toDecimal(steps));
    }

    private record Sent(
            Epsilon epsilon,
            Kind queries,
            Grid grid,
            ThresholdFamily family,
            BigInteger threshold,
            int maxPositives,
            Release release,
            Payment payment,
            OptionalInt maxQueries,
            Variant variant,
            BigDecimal beta) {}

    private static Optional<Grid> grid(ObjectReader in, Kind queries, Dataset dataset) {
        if (queries == Kind.COUNTS) {
            return Optional.of(Grid.ONE);
        }
        Optional<Grid> finest = dataset.columns().stream()
                .filter(Column.Numeric.class::isInstance)
                .map(Column.Numeric.class::cast)
                .filter(column -> column.notation() instanceof Notation.Numbers)
                .map(Column.Numeric::grid)
                .reduce(Grid::common);
        if (finest.isEmpty()) {
            in.refuse("queries", "queries must be \"counts\", because the dataset has no column of numbers");
        }
        return finest;
    }

    private static Optional<ThresholdFamily> family(ObjectReader in, Kind queries, Grid grid, Dataset dataset) {
        if (queries == Kind.COUNTS) {
            in.notInThisForm("sumBound");
            return Optional.of(ThresholdFamily.ofCounts(dataset.neighborhood()));
        }
        return in.required("sumBound").decimal().flatMap(sent -> {
            Optional<BigInteger> steps = grid.toSteps(sent).filter(known -> known.signum() > 0);
            if (steps.isEmpty()) {
                in.refuse(
                        "sumBound",
                        "sumBound must be above 0 and a multiple of "
                                + grid.resolution().toPlainString() + ", the finest grid of the dataset's numbers, was "
                                + sent.toPlainString());
            }
            return steps.map(ThresholdFamily::ofSums);
        });
    }

    private static void checkVariant(
            ObjectReader in, Optional<Variant> variant, Optional<Release> release, Optional<Payment> payment) {
        boolean isPerPositive = payment.equals(Optional.of(Payment.PER_POSITIVE));
        if (isPerPositive
                && variant.filter(sent -> sent != Variant.AUTOMATIC && sent != Variant.RESTART)
                        .isPresent()) {
            in.refuse("variant", "variant must be \"restart\" with the payment \"per-positive\"");
        }
        if (variant.equals(Optional.of(Variant.ADAPTIVE)) && release.equals(Optional.of(Release.VALUES))) {
            in.refuse("variant", "variant \"adaptive\" releases indices or gaps, not values");
        }
        if (variant.equals(Optional.of(Variant.ONE_SIDED)) && !in.has("maxQueries")) {
            in.refuse("variant", "variant \"one-sided\" needs maxQueries, on which its noise depends");
        }
    }

    private static Declaration of(OpenSessionRequest request, Sent sent, Accountant accountant) {
        boolean isUpfront = sent.payment() == Payment.UPFRONT;
        Epsilon instance = new Epsilon(sent.epsilon().nanos() / sent.maxPositives());
        // The noise of an instance is that of its charge, which is rounded down.
        PrivacyAllowance whole = isUpfront
                ? accountant.allowance(sent.epsilon(), Delta.ZERO)
                : new PrivacyAllowance.Pure(new Epsilon(instance.nanos() * sent.maxPositives()));
        PrivacyEvent charge = isUpfront
                ? whole.event()
                : accountant.allowance(instance, Delta.ZERO).event();
        InteractiveSparseVector mechanism = new InteractiveSparseVector(
                whole,
                sent.family(),
                sent.threshold(),
                sent.maxPositives(),
                sent.maxQueries(),
                new SparseVector.Form(sent.release(), Allocation.OPTIMAL, isUpfront ? sent.variant() : Variant.RESTART),
                sent.beta().doubleValue());
        return new Declaration(
                request,
                sent.grid(),
                sent.family(),
                sent.maxPositives(),
                sent.payment(),
                sent.queries(),
                sent.release(),
                sent.maxQueries(),
                sent.beta(),
                charge,
                whole.event(),
                mechanism);
    }

    boolean isPaidUpfront() {
        return payment == Payment.UPFRONT;
    }

    /**
     * Reads a question of this session; empty if it is outside of what was declared, or broke another rule.
     *
     * @param sent the field that holds it
     */
    public Optional<ComparedStatistic> question(ValueReader sent, Dataset dataset) {
        return sent.object(in -> ComparedStatistic.read(in, dataset)).filter(question -> {
            boolean admitted = question.grid().common(grid).equals(grid)
                    && family.admits(question.statistic(), stepFactor(question), dataset.neighborhood());
            if (!admitted) {
                sent.refuse(
                        switch (queries) {
                            case COUNTS -> "query must be a count, because the session was opened for counts";
                            case SUMS ->
                                "query must be a sum or a clipLoss that one privacy unit changes by at most "
                                        + ShownDecimals.plain(grid.toDecimal(family.l1Sensitivity()))
                                                .toPlainString()
                                        + ", the sumBound of the session";
                        });
            }
            return admitted;
        });
    }

    /** The number of the session's grid steps in one step of the own grid of a question that {@link #question} read. */
    BigInteger stepFactor(ComparedStatistic question) {
        return question.grid().stepsOf(grid);
    }

    /**
     * The bound on all outcomes.
     *
     * @param asked how many questions were asked; of no account with a largest number
     */
    Accuracy accuracy(long asked) {
        int questions = maxQueries.orElse(Math.toIntExact(Math.max(1, asked)));
        BigDecimal alpha = ShownDecimals.plain(mechanism.alphaSteps(questions).multiply(grid.resolution()));
        String bound = ShownDecimals.stated(alpha);
        String values = release == Release.VALUES ? ", and every value is within " + bound + " of the exact one" : "";
        String of = maxQueries.isPresent()
                ? "Of up to " + questions + " questions"
                : "Of " + questions + (questions == 1 ? " question" : " questions");
        return Accuracy.ofValue(
                alpha,
                beta,
                of + ", every one found ABOVE is at least threshold - " + bound
                        + " and every other at most threshold + " + bound + values
                        + "; all of this together, except with probability at most " + beta.toPlainString() + ".");
    }
}
