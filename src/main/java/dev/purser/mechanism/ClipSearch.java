package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * A private search for a clip bound: the first of a public, geometric list of candidates beyond which only a few rows
 * lie. The candidates lead outwards from the kept bound. It is one run of {@link AboveThreshold} over minus the number
 * of rows beyond each candidate. It uses only the position at which the run stops, which the run's epsilon covers.
 *
 * @param candidates ascending in distance from the kept bound; the last is the declared bound
 */
record ClipSearch(List<Long> candidates, ThresholdQueries queries, ThresholdScan scan) {
    /** The largest number of candidates in a search. */
    static final int MAX_CANDIDATES = 64;

    private static final BigInteger FEW_ROWS = BigInteger.TEN;

    /** Searches for an upper bound in (kept, target.upper()]. */
    static ClipSearch upwards(MeanTarget target, long kept, Rational searchEpsilon, Rational wholeEpsilon) {
        return search(
                target,
                distances(target.upper() - kept).stream()
                        .map(distance -> kept + distance)
                        .toList(),
                candidate ->
                        new Statistic.Count(target.table(), target.selective(), candidate + 1, Statistic.NO_UPPER_END),
                searchEpsilon,
                wholeEpsilon);
    }

    /** Searches for a lower bound in [target.lower(), kept). */
    static ClipSearch downwards(MeanTarget target, long kept, Rational searchEpsilon, Rational wholeEpsilon) {
        return search(
                target,
                distances(kept - target.lower()).stream()
                        .map(distance -> kept - distance)
                        .toList(),
                candidate -> new Statistic.Count(target.table(), target.selective(), Statistic.NO_LOWER_END, candidate),
                searchEpsilon,
                wholeEpsilon);
    }

    private static ClipSearch search(
            MeanTarget target,
            List<Long> candidates,
            LongFunction<Statistic.Count> rowsBeyond,
            Rational searchEpsilon,
            Rational wholeEpsilon) {
        List<Statistic> statistics = candidates.stream()
                .<Statistic>map(candidate -> new Statistic.NegatedCount(rowsBeyond.apply(candidate)))
                .toList();
        ThresholdQueries queries = new ThresholdQueries(
                statistics,
                statistics.stream().map(statistic -> BigInteger.ONE).toList(),
                fewRows(target, wholeEpsilon).negate(),
                target.neighborhood());
        return new ClipSearch(candidates, queries, AboveThreshold.scanFor(searchEpsilon, queries));
    }

    /** Ten rows, or the rows of five units divided by epsilon if that is more. */
    private static BigInteger fewRows(MeanTarget target, Rational epsilon) {
        BigInteger fiveUnits =
                BigInteger.valueOf(5L * target.neighborhood().unit().maxRows());
        return FEW_ROWS.max(Rational.of(fiveUnits).dividedBy(epsilon).ceiling());
    }

    /** Geometric distances 1 … farthest, at most {@value #MAX_CANDIDATES}, ascending, the last one {@code farthest}. */
    static List<Long> distances(long farthest) {
        TreeSet<Long> distances = new TreeSet<>();
        for (int i = 1; i < MAX_CANDIDATES; i++) {
            long distance = Math.round(Math.pow(farthest, (double) i / MAX_CANDIDATES));
            distances.add(Math.clamp(distance, 1, farthest));
        }
        distances.add(farthest);
        return new ArrayList<>(distances);
    }

    /** The found bound, or the declared bound if no candidate was called positive. */
    long find(List<Buckets> tables, RandomBits bits) {
        List<ThresholdVariant.Found> positives =
                scan.run(queries.exact(tables), queries.thresholdSteps(), bits).positives();
        return positives.isEmpty()
                ? candidates.getLast()
                : candidates.get(positives.getFirst().index());
    }
}
