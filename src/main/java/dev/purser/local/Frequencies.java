package dev.purser.local;

import dev.purser.privacy.Epsilon;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** The choice among the protocols for frequencies of categories. All of them are exactly epsilon-locally private. */
public final class Frequencies {
    // Variances this close count as equal: as doubles, formulas of equal value differ by 1e-15.
    private static final double SAME = 1 + 1e-9;

    private Frequencies() {}

    /**
     * The protocol of least variance of a rare category's share, among those that admit this number of categories and
     * whose reports are short enough. Of protocols with equal variances, it is the protocol with the shortest report.
     *
     * @param epsilon above 0, at most 100
     * @param categories at least 2
     * @param maxReportBits how many bits a report may take when it is packed
     * @throws IllegalArgumentException also if no protocol remains
     */
    public static FrequencyRandomizer<?> ofLeastVariance(Epsilon epsilon, int categories, int maxReportBits) {
        List<FrequencyRandomizer<?>> fitting = Stream.of(
                        new Protocol(GeneralizedRandomizedResponse.MAX_CATEGORIES, GeneralizedRandomizedResponse::new),
                        new Protocol(OptimizedUnaryEncoding.MAX_CATEGORIES, OptimizedUnaryEncoding::new),
                        new Protocol(
                                epsilon.compareTo(OptimizedLocalHashing.MAX_EPSILON) > 0
                                        ? 0
                                        : OptimizedLocalHashing.MAX_CATEGORIES,
                                OptimizedLocalHashing::new),
                        new Protocol(HadamardResponse.MAX_CATEGORIES, HadamardResponse::new))
                .filter(protocol -> categories <= protocol.maxCategories)
                .<FrequencyRandomizer<?>>map(protocol -> protocol.constructor.apply(categories, epsilon))
                .filter(randomizer -> randomizer.reportBits() <= maxReportBits)
                .toList();
        double least = fitting.stream()
                .mapToDouble(randomizer -> randomizer.frequencyVariance(0, 1))
                .min()
                .orElseThrow(() -> new IllegalArgumentException("no protocol reports one of " + categories
                        + " categories in at most " + maxReportBits + " bits"));
        return fitting.stream()
                .filter(randomizer -> randomizer.frequencyVariance(0, 1) <= least * SAME)
                .min(Comparator.comparingInt(FrequencyRandomizer::reportBits))
                .orElseThrow();
    }

    private record Protocol(
            int maxCategories, BiFunction<Integer, Epsilon, ? extends FrequencyRandomizer<?>> constructor) {}
}
