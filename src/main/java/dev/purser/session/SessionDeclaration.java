package dev.purser.session;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.DeltaRule;
import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.Notation;
import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import dev.purser.mechanism.InteractiveSparseVector;
import dev.purser.mechanism.SparseVector;
import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.mechanism.ThresholdFamily;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Grid;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.query.Accuracy;
import dev.purser.query.AllowanceFields;
import dev.purser.query.AskedBlocks;
import dev.purser.query.Beta;
import dev.purser.query.ComparedStatistic;
import dev.purser.query.ShownDecimals;
import dev.purser.query.Thresholds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a session declares when it is opened. The noise, the charges and the permitted questions follow from it alone.
 *
 * @param blocks the blocks that the session is about, fixed at the opening; null for a dataset without blocks
 * @param shown the fields that were sent, as the session shows them
 * @param charge the event that one charge pays for: the whole session, or one instance
 * @param whole the largest event of the whole session
 */
public record SessionDeclaration(
        Terms terms,
        @Nullable AskedBlocks blocks,
        Map<String, Object> shown,
        PrivacyEvent charge,
        PrivacyEvent whole,
        InteractiveSparseVector mechanism) {
    /** When a session is charged. */
    enum Payment {
        /** The whole charge at the opening. */
        UPFRONT,
        /** One instance at a time, each before its first question. */
        PER_POSITIVE
    }

    /** The kinds of a session's questions. */
    enum Kind {
        COUNTS,
        /** Sums and clip losses. */
        SUMS
    }

    /**
     * The fields, as they were sent or by default.
     *
     * @param grid the grid on which questions are compared: whole rows, or the finest grid of the dataset's numbers
     * @param family the common properties of its questions
     * @param threshold the threshold in steps of the grid
     * @param maxQueries the most questions; empty without a limit
     */
    record Terms(
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
            BigDecimal beta) {
        BigDecimal shown(BigInteger steps) {
            return ShownDecimals.plain(grid.toDecimal(steps));
        }
    }

    private static final Field<Integer> MAX_POSITIVES =
            Field.required("maxPositives", FieldType.integer(1, 1_000), "How many outcomes may be ABOVE.", 3);
    private static final Field<Release> RELEASE = Field.choice(
                    "release",
                    Release.INDICES,
                    "What an ABOVE comes with: nothing, its distance above the noisy threshold for no"
                            + " more epsilon, or a value with fresh noise for half of epsilon.")
            .withoutExample();
    private static final Field<Payment> PAYMENT = Field.choice(
                    "payment",
                    Payment.UPFRONT,
                    "`per-positive`: epsilon/maxPositives, rounded down to a nano-epsilon, before the"
                            + " first question and after each ABOVE before the next one.")
            .withoutExample();
    private static final Field<Kind> QUERIES = Field.required(
            "queries", FieldType.choice(Kind.values()), "What is asked. `sums` are sums and clip losses.");
    private static final Field<BigDecimal> SUM_BOUND = Field.optional(
            "sumBound",
            FieldType.NUMBER,
            "With sums: how much one privacy unit may change any of them, at most.",
            1000);
    private static final Field<Integer> MAX_QUERIES = Field.optional(
            "maxQueries",
            FieldType.integer(1, 1_000_000),
            "The most questions. The session is closed after the last of them."
                    + " Without it, the error bound grows with the number asked.",
            100);
    private static final Field<Variant> VARIANT = Field.choice(
                    "variant",
                    Variant.AUTOMATIC,
                    "As in askSparseRange. `one-sided` needs maxQueries; `per-positive` has `restart` alone.")
            .withoutExample();

    /** The body as the API describes it. A session shows its sent fields in the same form. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "OpenThresholdSession",
            AllowanceFields.CHARGED
                    .describedAs("The most that the session is charged in all.")
                    .withExample("1"),
            AskedBlocks.FIELD,
            Thresholds.FIELD
                    .describedAs("Rows for counts; for sums a multiple of the finest grid of the dataset's numbers.")
                    .withExample(1000),
            MAX_POSITIVES,
            RELEASE,
            PAYMENT,
            QUERIES,
            SUM_BOUND,
            MAX_QUERIES,
            VARIANT,
            Beta.FIELD
                    .describedAs("The probability with which the error bound may fail.")
                    .withoutExample());

    /** An example. */
    public static final String VISITS = """
            {"epsilon": "0.3", "threshold": 500, "maxPositives": 2, "queries": "counts", "maxQueries": 100}""";

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<SessionDeclaration> read(ObjectReader in, Dataset dataset) {
        Optional<Epsilon> epsilon = in.read(AllowanceFields.CHARGED);
        Optional<AskedBlocks> blocks = AskedBlocks.read(in, dataset);
        Optional<Kind> queries = in.read(QUERIES);
        Optional<Grid> grid = queries.flatMap(kind -> grid(in, kind, dataset));
        Optional<BigInteger> threshold = Thresholds.read(in, grid);
        Optional<ThresholdFamily> family =
                queries.flatMap(kind -> grid.flatMap(known -> family(in, kind, known, dataset)));
        if (grid.isEmpty()) {
            in.read(SUM_BOUND);
        }
        Optional<Integer> maxPositives = in.read(MAX_POSITIVES);
        Optional<Release> release = in.read(RELEASE);
        Optional<Payment> payment = in.read(PAYMENT);
        Optional<Integer> maxQueries = in.read(MAX_QUERIES);
        Optional<Variant> variant = in.read(VARIANT);
        Optional<BigDecimal> beta = in.read(Beta.FIELD);
        checkVariant(in, variant, release, payment);
        Accountant accountant = dataset.registration().accountant();
        if (accountant.deltaOfQuestion() != DeltaRule.ZERO) {
            in.refuse("threshold sessions need the accountant \"pure\" or \"zcdp\", the dataset has \""
                    + accountant.name() + "\"");
        }
        return in.complete(() -> {
            Terms terms = new Terms(
                    epsilon.orElseThrow(),
                    queries.orElseThrow(),
                    grid.orElseThrow(),
                    family.orElseThrow(),
                    threshold.orElseThrow(),
                    maxPositives.orElseThrow(),
                    release.orElseThrow(),
                    payment.orElseThrow(),
                    maxQueries.map(OptionalInt::of).orElse(OptionalInt.empty()),
                    variant.orElseThrow(),
                    beta.orElseThrow());
            Map<String, Object> shown =
                    shown(in, terms, blocks.map(asked -> asked.shown(dataset)).orElse(Map.of()));
            return of(terms, blocks.orElse(null), shown, accountant);
        });
    }

    /** The sent fields with their values, in the order of {@link #FORM}. */
    private static Map<String, Object> shown(ObjectReader in, Terms terms, Map<String, String> blocks) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(AllowanceFields.EPSILON, terms.epsilon());
        shown.put(AskedBlocks.FIELD.name(), blocks);
        shown.put(Thresholds.FIELD.name(), terms.shown(terms.threshold()));
        shown.put(MAX_POSITIVES.name(), terms.maxPositives());
        shown.put(RELEASE.name(), FieldType.word(terms.release()));
        shown.put(PAYMENT.name(), FieldType.word(terms.payment()));
        shown.put(QUERIES.name(), FieldType.word(terms.queries()));
        if (terms.queries() == Kind.SUMS) {
            shown.put(SUM_BOUND.name(), terms.shown(terms.family().l1Sensitivity()));
        }
        terms.maxQueries().ifPresent(most -> shown.put(MAX_QUERIES.name(), most));
        shown.put(VARIANT.name(), FieldType.word(terms.variant()));
        shown.put(Beta.FIELD.name(), terms.beta());
        shown.keySet()
                .retainAll(
                        FORM.fields().stream().filter(in::has).map(Field::name).toList());
        return shown;
    }

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
            in.refuse(QUERIES, "queries must be \"counts\", because the dataset has no column of numbers");
        }
        return finest;
    }

    private static Optional<ThresholdFamily> family(ObjectReader in, Kind queries, Grid grid, Dataset dataset) {
        if (queries == Kind.COUNTS) {
            in.notInThisForm(SUM_BOUND);
            return Optional.of(ThresholdFamily.ofCounts(dataset.neighborhood()));
        }
        return in.required(SUM_BOUND).flatMap(sent -> {
            Optional<BigInteger> steps = grid.toSteps(sent).filter(known -> known.signum() > 0);
            if (steps.isEmpty()) {
                in.refuse(
                        SUM_BOUND,
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
            in.refuse(VARIANT, "variant must be \"restart\" with the payment \"per-positive\"");
        }
        if (variant.equals(Optional.of(Variant.ADAPTIVE)) && release.equals(Optional.of(Release.VALUES))) {
            in.refuse(VARIANT, "variant \"adaptive\" releases indices or gaps, not values");
        }
        if (variant.equals(Optional.of(Variant.ONE_SIDED)) && !in.has(MAX_QUERIES)) {
            in.refuse(VARIANT, "variant \"one-sided\" needs maxQueries, on which its noise depends");
        }
    }

    private static SessionDeclaration of(
            Terms terms, @Nullable AskedBlocks blocks, Map<String, Object> shown, Accountant accountant) {
        boolean isUpfront = terms.payment() == Payment.UPFRONT;
        Epsilon instance = new Epsilon(terms.epsilon().nanos() / terms.maxPositives());
        // The noise of an instance follows from its charge, which is rounded down.
        PrivacyAllowance whole = isUpfront
                ? accountant.allowance(terms.epsilon(), Delta.ZERO)
                : new PrivacyAllowance.Pure(new Epsilon(instance.nanos() * terms.maxPositives()));
        PrivacyEvent charge = isUpfront
                ? whole.event()
                : accountant.allowance(instance, Delta.ZERO).event();
        Variant variant = isUpfront ? terms.variant() : Variant.RESTART;
        InteractiveSparseVector mechanism = new InteractiveSparseVector(
                whole,
                terms.family(),
                terms.threshold(),
                terms.maxPositives(),
                terms.maxQueries(),
                new SparseVector.Form(terms.release(), Allocation.OPTIMAL, variant),
                terms.beta().doubleValue());
        return new SessionDeclaration(terms, blocks, shown, charge, whole.event(), mechanism);
    }

    /** The blocks that the session is about; empty for a dataset without blocks. */
    Optional<BlockWindow> window() {
        return Optional.ofNullable(blocks).map(AskedBlocks::window);
    }

    boolean isPaidUpfront() {
        return terms.payment() == Payment.UPFRONT;
    }

    /**
     * Reads a question of this session; empty if it is outside of the declaration, or broke another rule.
     *
     * @param sent the field that holds the question
     */
    public Optional<ComparedStatistic> question(ValueReader sent, Dataset dataset) {
        return sent.object(in -> ComparedStatistic.read(in, dataset)).filter(question -> {
            boolean admitted = question.grid().common(terms.grid()).equals(terms.grid())
                    && terms.family().admits(question.statistic(), stepFactor(question), dataset.neighborhood());
            if (!admitted) {
                sent.refuse(
                        switch (terms.queries()) {
                            case COUNTS -> "query must be a count, because the session was opened for counts";
                            case SUMS ->
                                "query must be a sum or a clipLoss that one privacy unit changes by at most "
                                        + terms.shown(terms.family().l1Sensitivity())
                                                .toPlainString()
                                        + ", the sumBound of the session";
                        });
            }
            return admitted;
        });
    }

    /** The number of the session's grid steps in one grid step of a question that {@link #question} read. */
    BigInteger stepFactor(ComparedStatistic question) {
        return question.grid().stepsOf(terms.grid());
    }

    /**
     * The bound on all outcomes.
     *
     * @param asked how many questions were asked; ignored if the declaration states a largest number
     */
    Accuracy accuracy(long asked) {
        int questions = terms.maxQueries().orElse(Math.toIntExact(Math.max(1, asked)));
        BigDecimal alpha = ShownDecimals.plain(
                mechanism.alphaSteps(questions).multiply(terms.grid().resolution()));
        String bound = ShownDecimals.stated(alpha);
        String values =
                terms.release() == Release.VALUES ? ", and every value is within " + bound + " of the exact one" : "";
        String of = terms.maxQueries().isPresent()
                ? "Of up to " + questions + " questions"
                : "Of " + questions + (questions == 1 ? " question" : " questions");
        return Accuracy.ofValue(
                alpha,
                terms.beta(),
                of + ", every one found ABOVE is at least threshold - " + bound
                        + " and every other at most threshold + " + bound + values
                        + "; all of this together, except with probability at most "
                        + terms.beta().toPlainString() + ".");
    }
}
