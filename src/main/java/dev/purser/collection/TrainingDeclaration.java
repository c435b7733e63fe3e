package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.local.GradientDescent;
import dev.purser.local.GradientModel;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static dev.purser.collection.ProtocolKind.EPSILON;
import static dev.purser.collection.ProtocolKind.EPSILONS;

/**
 * What a training declares when it is opened.
 *
 * @param protocol the protocol of a device's report of its clipped gradient
 * @param features how many numbers of [-1, 1] a device has; the model has a parameter for each and the intercept
 * @param groupSize how many reports a round has
 * @param rounds after how many rounds the training is closed
 */
public record TrainingDeclaration(
        String id,
        GradientModel model,
        int features,
        String protocolName,
        Protocol<?> protocol,
        long groupSize,
        GradientDescent descent,
        int rounds)
        implements LifeCycle.Opening {
    /** The protocols that have an epsilon for each level. */
    private static final String LEVELED = Protocols.listed(Protocols.OF_GRADIENTS.stream()
            .filter(kind -> kind.amount().equals(EPSILONS.name()))
            .map(GradientKind::name));

    static final int MAX_ROUNDS = 10_000;
    private static final FieldType<BigDecimal> SIZE =
            FieldType.number(new BigDecimal("0.000001"), BigDecimal.valueOf(1_000));

    private static final Field<GradientModel> MODEL = Field.required(
            "model",
            FieldType.choice(GradientModel.values()),
            "`linear`: the squared error of a target of [-1, 1]. `logistic`: the log loss of a target that is 0 or 1.");
    private static final Field<Integer> FEATURES =
            Field.required("features", FieldType.integer(1, 1_000), "Numbers of [-1, 1] of a device.", 8);
    private static final Field<GradientKind> PROTOCOL = Field.required(
            "protocol",
            Protocols.choice(
                    Protocols.OF_GRADIENTS,
                    GradientKind::name,
                    Comparator.comparing(GradientKind::amount).thenComparing(GradientKind::name)),
            "");
    private static final Field<Long> GROUP_SIZE = Field.optional(
            "groupSize",
            FieldType.longInteger(1, 100_000_000),
            "Reports of a round. By default 2·d·ln(d)/epsilon², at least 1000, where d is the number of"
                    + " features and 1.",
            1000);
    private static final Field<BigDecimal> STEP_SIZE =
            Field.optional("stepSize", SIZE, "Of round t it is stepSize/√t; 1 by default.", 1);
    private static final Field<BigDecimal> PENALTY = Field.optional(
            "penalty",
            FieldType.number(BigDecimal.ZERO, BigDecimal.valueOf(1_000)),
            "Of the squared parameters but the intercept's; 0 by default.",
            new BigDecimal("0.0001"));
    private static final Field<BigDecimal> BOUND =
            Field.optional("bound", SIZE, "Parameters are kept within ±bound; 10 by default.", 10);
    private static final Field<Integer> ROUNDS = Field.optional(
            "rounds", FieldType.integer(1, MAX_ROUNDS), "After how many rounds it is closed, 10,000 by default.", 100);

    /** The body that opens a training, as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "OpenTraining",
            CollectionDeclaration.ID.withExample("income"),
            MODEL,
            FEATURES,
            PROTOCOL,
            EPSILON.describedAs("Of one whole report; with " + LEVELED + " there are `epsilons`."),
            EPSILONS.describedAs("With " + LEVELED + ": of the levels, in descending order."),
            GROUP_SIZE,
            STEP_SIZE,
            PENALTY,
            BOUND,
            ROUNDS);

    public static final String INCOME = """
            {"id": "income", "model": "linear", "features": 2, "protocol": "harmony", "epsilon": "1"}""";

    /** Always null, because the last round closes a training. */
    @Override
    public @Nullable Instant closesAt() {
        return null;
    }

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<TrainingDeclaration> read(ObjectReader in) {
        Optional<String> id = in.read(CollectionDeclaration.ID);
        Optional<GradientModel> model = in.read(MODEL);
        int features = in.read(FEATURES).orElse(1);
        int dimensions = features + 1;
        Optional<GradientKind> kind = in.read(PROTOCOL);
        Optional<Protocol<?>> protocol = kind.flatMap(known -> known.readOfGradients(in, dimensions));
        if (kind.isEmpty()) {
            in.know(EPSILON, EPSILONS);
        }
        Optional<Long> groupSize = in.read(GROUP_SIZE);
        Optional<BigDecimal> stepSize = in.read(STEP_SIZE);
        Optional<BigDecimal> penalty = in.read(PENALTY);
        Optional<BigDecimal> bound = in.read(BOUND);
        int rounds = in.read(ROUNDS).orElse(MAX_ROUNDS);
        return in.complete(() -> new TrainingDeclaration(
                id.orElseThrow(),
                model.orElseThrow(),
                features,
                kind.orElseThrow().name(),
                protocol.orElseThrow(),
                groupSize.orElseGet(() -> GradientDescent.groupSize(
                        dimensions, protocol.orElseThrow().epsilon())),
                new GradientDescent(
                        stepSize.orElse(BigDecimal.ONE).doubleValue(),
                        penalty.orElse(BigDecimal.ZERO).doubleValue(),
                        bound.orElse(BigDecimal.TEN).doubleValue()),
                rounds));
    }
}
