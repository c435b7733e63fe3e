package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.GradientDescent;
import dev.purser.local.GradientModel;
import dev.purser.privacy.Epsilon;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

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
        int rounds) {
    private static final int MAX_FEATURES = 1_000;
    private static final long MAX_GROUP = 100_000_000;
    private static final int MAX_ROUNDS = 10_000;
    private static final String OF_LEVELS = "hiera";
    private static final BigDecimal LEAST = new BigDecimal("0.000001");
    private static final BigDecimal MOST = BigDecimal.valueOf(1_000);

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<TrainingDeclaration> read(ObjectReader in) {
        Optional<String> id = Declaration.id(in);
        Optional<GradientModel> model = in.required("model")
                .label(GradientModel.values(), each -> each.name().toLowerCase(Locale.ROOT));
        Optional<Long> features = in.required("features").integer(1, MAX_FEATURES);
        List<String> names = new ArrayList<>(Protocols.OF_GRADIENTS.keySet());
        names.add(OF_LEVELS);
        Optional<String> name = in.required("protocol").label(names.toArray(String[]::new), each -> each);
        int dimensions = features.orElse(1L).intValue() + 1;
        Optional<Protocol<?>> protocol = name.flatMap(known -> protocol(in, known, dimensions));
        if (name.isEmpty()) {
            List.of("epsilon", "epsilons").forEach(in::optional);
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
                name.orElseThrow(),
                protocol.orElseThrow(),
                groupSize.orElseGet(() -> GradientDescent.groupSize(
                        dimensions, protocol.orElseThrow().epsilon())),
                new GradientDescent(
                        stepSize.orElse(BigDecimal.ONE).doubleValue(),
                        penalty.orElse(BigDecimal.ZERO).doubleValue(),
                        bound.orElse(BigDecimal.TEN).doubleValue()),
                rounds.orElse((long) MAX_ROUNDS).intValue()));
    }

    private static Optional<Protocol<?>> protocol(ObjectReader in, String name, int dimensions) {
        if (name.equals(OF_LEVELS)) {
            in.notInThisForm("epsilon");
            Optional<List<Epsilon>> epsilons = Declared.epsilons(in);
            return epsilons.flatMap(
                    all -> Declared.built(in, "epsilons", () -> Protocols.leveledGradient(all, dimensions)));
        }
        in.notInThisForm("epsilons");
        Optional<Epsilon> epsilon = Declared.epsilon(in);
        return epsilon.flatMap(each -> Declared.built(
                in,
                "epsilon",
                () -> Objects.requireNonNull(Protocols.OF_GRADIENTS.get(name)).apply(each, dimensions)));
    }
}
