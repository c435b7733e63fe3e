package dev.purser.collection;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.local.GradientDescent;
import dev.purser.local.GradientModel;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static dev.purser.collection.ProtocolKind.EPSILON;
import static dev.purser.collection.ProtocolKind.EPSILONS;
import static dev.purser.json.FieldType.INTEGER;
import static dev.purser.json.FieldType.NUMBER;

/**
 * What a training declares when it is opened.
 *
 * @param protocol of a device's report of its clipped gradient
 * @param features numbers of [-1, 1] of a device; the model has a parameter for each and the intercept
 * @param groupSize reports of a round
 * @param rounds after which it is closed
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
    private static final int MAX_FEATURES = 1_000;
    private static final long MAX_GROUP = 100_000_000;
    private static final int MAX_ROUNDS = 10_000;
    private static final BigDecimal LEAST = new BigDecimal("0.000001");
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000);

    /** The protocols that have an epsilon for each level. */
    private static final String LEVELED = Protocols.listed(Protocols.OF_GRADIENTS.stream()
            .filter(kind -> kind.amount().equals(EPSILONS.name()))
            .map(GradientKind::name));

    /** The body that opens a training, as the API describes it. */
    public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "OpenTraining",
            CollectionDeclaration.idField("income"),
            Field.required(
                    "model",
                    FieldType.Choice.of(GradientModel.values()),
                    "`linear`: the squared error of a target of [-1, 1]. `logistic`: the log loss of a target that is"
                            + " 0 or 1."),
            Field.required("features", INTEGER, "Numbers of [-1, 1] of a device, 1 to 1000.")
                    .withExample(8),
            Field.required("protocol", Protocols.choice(Protocols.OF_GRADIENTS, GradientKind::name), ""),
            Field.optional(
                            EPSILON.name(),
                            EPSILON.type(),
                            "Of one whole report; with " + LEVELED + " there are `epsilons`.")
                    .withExample("1"),
            Field.optional(
                            EPSILONS.name(),
                            EPSILONS.type(),
                            "With " + LEVELED + ": of the levels, in descending order.")
                    .withExample(List.of()),
            Field.optional(
                            "groupSize",
                            new FieldType.Plain(long.class),
                            "Reports of a round. By default 2·d·ln(d)/epsilon², at least 1000, where d is the number of"
                                    + " features and 1.")
                    .withExample(1000),
            Field.optional("stepSize", NUMBER, "Of round t it is stepSize/√t; 1 by default.")
                    .withExample(1),
            Field.optional("penalty", NUMBER, "Of the squared parameters but the intercept's; 0 by default.")
                    .withExample(new BigDecimal("0.0001")),
            Field.optional("bound", NUMBER, "Parameters are kept within ±bound; 10 by default.")
                    .withExample(10),
            Field.optional("rounds", INTEGER, "After how many rounds it is closed, 10,000 by default.")
                    .withExample(100));

    public static final String INCOME = """
            {"id": "income", "model": "linear", "features": 2, "protocol": "harmony", "epsilon": "1"}""";

    /** There is none: the last round closes it. */
    @Override
    public @Nullable Instant closesAt() {
        return null;
    }

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<TrainingDeclaration> read(ObjectReader in) {
        Optional<String> id = CollectionDeclaration.id(in);
        Optional<GradientModel> model = in.required("model").label(GradientModel.values(), FieldType.Choice::word);
        Optional<Long> features = in.required("features").integer(1, MAX_FEATURES);
        Optional<GradientKind> kind = in.required("protocol")
                .label(
                        Protocols.OF_GRADIENTS.stream()
                                .sorted(Comparator.comparing(GradientKind::amount)
                                        .thenComparing(GradientKind::name))
                                .toArray(GradientKind[]::new),
                        GradientKind::name);
        int dimensions = features.orElse(1L).intValue() + 1;
        Optional<Protocol<?>> protocol = kind.flatMap(known -> known.readOfGradients(in, dimensions));
        if (kind.isEmpty()) {
            List.of(EPSILON.name(), EPSILONS.name()).forEach(in::optional);
        }
        Optional<Long> groupSize = in.optional("groupSize").integer(1, MAX_GROUP);
        Optional<BigDecimal> stepSize = in.optional("stepSize").decimal(LEAST, MOST);
        Optional<BigDecimal> penalty = in.optional("penalty").decimal(BigDecimal.ZERO, MOST);
        Optional<BigDecimal> bound = in.optional("bound").decimal(LEAST, MOST);
        Optional<Long> rounds = in.optional("rounds").integer(1, MAX_ROUNDS);
        return in.complete(() -> new TrainingDeclaration(
                id.orElseThrow(),
                model.orElseThrow(),
                dimensions - 1,
                kind.orElseThrow().name(),
                protocol.orElseThrow(),
                groupSize.orElseGet(() -> GradientDescent.groupSize(
                        dimensions, protocol.orElseThrow().epsilon())),
                new GradientDescent(
                        stepSize.orElse(BigDecimal.ONE).doubleValue(),
                        penalty.orElse(BigDecimal.ZERO).doubleValue(),
                        bound.orElse(BigDecimal.TEN).doubleValue()),
                rounds.orElse((long) MAX_ROUNDS).intValue()));
    }
}
