package dev.purser.collection;

import dev.purser.json.ObjectReader;
import dev.purser.local.GradientDescent;
import dev.purser.local.GradientModel;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** There is none: the last round closes it. */
    @Override
    public @Nullable Instant closesAt() {
        return null;
    }

    /** Reads a declaration; empty if a field broke a rule. */
    public static Optional<TrainingDeclaration> read(ObjectReader in) {
        Optional<String> id = Declaration.id(in);
        Optional<GradientModel> model = in.required("model")
                .label(GradientModel.values(), each -> each.name().toLowerCase(Locale.ROOT));
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
