package dev.purser.experiment;

import dev.purser.local.Harmony;
import dev.purser.local.HierarchicalAggregator;
import dev.purser.local.Hybrid;
import dev.purser.local.LeveledPosition;
import dev.purser.local.LeveledResponse;
import dev.purser.local.LeveledSign;
import dev.purser.local.LocalLaplace;
import dev.purser.local.MultilevelLaplace;
import dev.purser.local.NumericRandomizer;
import dev.purser.local.Piecewise;
import dev.purser.local.Position;
import dev.purser.local.SampledCoordinates;
import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One way to collect: every device reports what it has, the reports are summed, and the sums give an estimate.
 *
 * @param epsilon of one report; null without privacy
 * @param tallies how many sums there are
 * @param <V> what a device has
 * @param <E> the estimate
 */
record Collector<V, E>(@Nullable Epsilon epsilon, int tallies, Reports<V> reports, Estimate<E> estimate) {
    /** Draws a device's report and adds it to the sums. */
    interface Reports<V> {
        void add(V value, long[] tally);
    }

    /** The estimate from the sums of a number of reports. */
    interface Estimate<E> {
        E of(long[] tally, long reports);
    }

    /** Estimates the mean of numbers in [-1, 1]. */
    static Collector<LeveledPosition, Double> ofMeans(
            Method method, int reuse, Comparison comparison, Epsilon nominal, RandomBits bits) {
        Epsilon epsilon = comparison.epsilon(nominal);
        Epsilon ofPoints = epsilon.compareTo(Piecewise.MAX_EPSILON) > 0 ? Piecewise.MAX_EPSILON : epsilon;
        return switch (method) {
            case HARMONY -> ofMean(new Harmony(epsilon), bits);
            case PIECEWISE -> ofMean(new Piecewise(ofPoints), bits);
            case HYBRID -> ofMean(new Hybrid(ofPoints), bits);
            case LAPLACE -> ofMean(new LocalLaplace(epsilon, Distribution.WIDTH), bits);
            case MULTILEVEL_LAPLACE ->
                ofMean(Comparison.levels(comparison == Comparison.NOMINAL ? nominal : fifth(epsilon)), bits);
            case HIERA -> ofMean(Comparison.response(nominal), reuse, false, bits);
            case HIERA_CLAMPED -> ofMean(Comparison.response(nominal), reuse, true, bits);
            case NON_PRIVATE, ZERO -> throw new IllegalArgumentException("a baseline of regressions");
        };
    }

    private static Epsilon fifth(Epsilon epsilon) {
        return new Epsilon(epsilon.nanos() / 5);
    }

    private static <R> Collector<LeveledPosition, Double> ofMean(NumericRandomizer<R> randomizer, RandomBits bits) {
        return new Collector<>(
                randomizer.epsilon(),
                randomizer.tallies(),
                (value, tally) -> randomizer.add(randomizer.report(value.position(), bits), tally, 0),
                (tally, reports) -> randomizer.contributions(tally, 0, reports) / reports);
    }

    /** Laplace noise of a level that is drawn uniformly. The epsilon is the epsilon of the first level, the largest. */
    private static Collector<LeveledPosition, Double> ofMean(List<Epsilon> levels, RandomBits bits) {
        List<MultilevelLaplace> randomizers = IntStream.rangeClosed(1, levels.size())
                .mapToObj(level -> new MultilevelLaplace(levels, level, Distribution.WIDTH))
                .toList();
        return new Collector<>(
                levels.getFirst(),
                1,
                (value, tally) -> {
                    MultilevelLaplace own = randomizers.get((int) UniformInteger.below(levels.size(), bits));
                    own.add(own.report(value.position(), bits), tally, 0);
                },
                (tally, reports) -> randomizers.getFirst().contributions(tally, 0, reports) / reports);
    }

    private static Collector<LeveledPosition, Double> ofMean(
            LeveledResponse response, int reuse, boolean isClamped, RandomBits bits) {
        HierarchicalAggregator aggregator = new HierarchicalAggregator(response, reuse, bits);
        return new Collector<>(
                response.epsilon(),
                aggregator.tallies(),
                (value, tally) -> aggregator.add(response.report(value, bits), tally, 0),
                (tally, reports) -> {
                    double sum =
                            isClamped ? aggregator.clampedContributions(tally, 0) : aggregator.contributions(tally, 0);
                    return sum / reports;
                });
    }

    /** Estimates the mean of gradients, each coordinate in [-1, 1]. */
    static Collector<List<LeveledPosition>, double[]> ofGradients(
            Method method, int dimensions, Comparison comparison, Epsilon nominal, RandomBits bits) {
        Epsilon epsilon = comparison.epsilon(nominal);
        return switch (method) {
            case HARMONY -> ofGradient(SampledCoordinates.harmony(dimensions, epsilon), bits);
            case PIECEWISE -> ofGradient(SampledCoordinates.piecewise(dimensions, epsilon), bits);
            case HYBRID -> ofGradient(SampledCoordinates.hybrid(dimensions, epsilon), bits);
            case HIERA -> ofGradient(Comparison.response(nominal), dimensions, bits);
            case NON_PRIVATE, ZERO -> withoutPrivacy(dimensions);
            case LAPLACE, MULTILEVEL_LAPLACE, HIERA_CLAMPED ->
                throw new IllegalArgumentException("a method that reports no gradients");
        };
    }

    private static <R> Collector<List<LeveledPosition>, double[]> ofGradient(
            SampledCoordinates<R> randomizer, RandomBits bits) {
        return new Collector<>(
                randomizer.epsilon(),
                randomizer.tallies(),
                (value, tally) -> randomizer.add(randomizer.report(positions(value), bits), tally, 0),
                randomizer::means);
    }

    private static List<Position> positions(List<LeveledPosition> value) {
        return value.stream().map(LeveledPosition::position).toList();
    }

    private static Collector<List<LeveledPosition>, double[]> ofGradient(
            LeveledResponse response, int dimensions, RandomBits bits) {
        SampledCoordinates<LeveledSign> any = SampledCoordinates.leveled(response, Collections.nCopies(dimensions, 1));
        return new Collector<>(
                response.epsilon(),
                any.tallies(),
                (value, tally) -> {
                    List<Integer> levels =
                            value.stream().map(LeveledPosition::level).toList();
                    SampledCoordinates<LeveledSign> own = SampledCoordinates.leveled(response, levels);
                    any.add(own.report(positions(value), bits), tally, 0);
                },
                any::means);
    }

    private static Collector<List<LeveledPosition>, double[]> withoutPrivacy(int dimensions) {
        return new Collector<>(
                null,
                dimensions,
                (value, tally) -> {
                    for (int j = 0; j < dimensions; j++) {
                        Position exact = value.get(j).position();
                        tally[j] += 2 * exact.part() - exact.width();
                    }
                },
                (tally, reports) -> IntStream.range(0, dimensions)
                        .mapToDouble(j -> (double) tally[j] / Distribution.WIDTH / reports)
                        .toArray());
    }
}
