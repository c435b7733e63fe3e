package dev.purser.mechanism;

import dev.purser.noise.OneSidedGeometricPmf;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NoisyMaxQuantileTests {
    static final List<Neighborhood> NEIGHBORHOODS = Units.NEIGHBORHOODS;

    private static final List<Rational> PROBABILITIES =
            List.of(Rational.of(1, 2), Rational.of(1, 10), Rational.of(3, 4), Rational.of(999_999, 1_000_000));
    private static final QuantilePoints FIVE = QuantilePoints.between(0, false, -2, 2, 1);

    /** P(i wins), by summation over its own noise. */
    static double wins(double scale, long[] distances, int i) {
        OneSidedGeometricPmf noise = new OneSidedGeometricPmf(scale);
        // Far beyond every distance: a far cell wins by its noise alone, and all of the probability lies there.
        long far = (long) Math.ceil(45 * scale) + Arrays.stream(distances).max().orElseThrow();
        double total = 0;
        for (long x = -far; x <= far; x++) {
            double others = 1;
            for (int j = 0; j < distances.length; j++) {
                if (j != i) {
                    others *= noise.atMost(x - distances[i] + distances[j] - (j < i ? 1 : 0));
                }
            }
            total += noise.probability(x) * others;
        }
        return total;
    }

    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void noDistanceMovesFurtherThanTheSensitivityBetweenNeighbors(Neighborhood neighborhood) {
        SplittableRandom random = new SplittableRandom(81);
        List<long[]> moves = Units.moves(FIVE.statistics(), neighborhood);
        for (Rational probability : PROBABILITIES) {
            BigInteger sensitivity = NoisyMaxQuantile.l1Sensitivity(probability, neighborhood, 1);
            BigInteger farthest = BigInteger.ZERO;
            for (int round = 0; round < 20; round++) {
                long[] counts = random.longs(5, 3, 8).toArray();
                BigInteger shift = BigInteger.valueOf(random.nextLong(-9, 10));
                BigInteger[] before = NoisyMaxQuantile.distances(below(counts, new long[5]), probability, shift);
                for (long[] move : moves) {
                    BigInteger[] after = NoisyMaxQuantile.distances(below(counts, move), probability, shift);
                    for (int i = 0; i < before.length; i++) {
                        farthest = farthest.max(after[i].subtract(before[i]).abs());
                    }
                }
            }
            assertThat(farthest).isLessThanOrEqualTo(sensitivity);
            assertThat(farthest)
                    .as("%s under %s is attained", probability, neighborhood)
                    .isEqualTo(sensitivity);
        }
    }

    /** A unit's rows may be in several groups, and a replaced unit's rows may leave one group and come into another. */
    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void theMovesInAllGroupsAddUpToTheSensitivityAtMost(Neighborhood neighborhood) {
        int rows = Math.toIntExact(neighborhood.unit().maxRows());
        boolean isReplaced = neighborhood.relation() == NeighboringRelation.REPLACE_ONE;
        SplittableRandom random = new SplittableRandom(82);
        for (Rational probability : PROBABILITIES) {
            BigInteger farthest = BigInteger.ZERO;
            for (int round = 0; round < 3_000; round++) {
                long[][] before = {
                    random.longs(5, 3, 8).toArray(), random.longs(5, 3, 8).toArray()
                };
                long[][] after = {before[0].clone(), before[1].clone()};
                place(rows, after, random);
                if (isReplaced) {
                    place(rows, before, random);
                }
                BigInteger moved = BigInteger.ZERO;
                for (int group = 0; group < 2; group++) {
                    moved = moved.add(farthest(before[group], after[group], probability));
                }
                farthest = farthest.max(moved);
            }
            assertThat(farthest)
                    .as("%s under %s", probability, neighborhood)
                    .isEqualTo(NoisyMaxQuantile.l1Sensitivity(probability, neighborhood, 2));
        }
    }

    /** Places the rows of a unit, usually all of them in one cell, which moves the most. */
    private static void place(int rows, long[][] groups, SplittableRandom random) {
        int group = random.nextInt(2);
        int cell = random.nextInt(5);
        for (int row = 0; row < rows; row++) {
            boolean isApart = random.nextInt(4) == 0;
            groups[isApart ? random.nextInt(2) : group][isApart ? random.nextInt(5) : cell]++;
        }
    }

    private static BigInteger farthest(long[] before, long[] after, Rational probability) {
        BigInteger[] from = NoisyMaxQuantile.distances(below(before, new long[5]), probability, BigInteger.ZERO);
        BigInteger[] to = NoisyMaxQuantile.distances(below(after, new long[5]), probability, BigInteger.ZERO);
        BigInteger farthest = BigInteger.ZERO;
        for (int i = 0; i < from.length; i++) {
            farthest = farthest.max(to[i].subtract(from[i]).abs());
        }
        return farthest;
    }

    /** The rows below each point, with {@code counts} rows at each point, plus what a unit moves these numbers by. */
    private static BigInteger[] below(long[] counts, long[] move) {
        BigInteger[] below = new BigInteger[counts.length + 1];
        long sum = 0;
        below[0] = BigInteger.ZERO;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i];
            below[i + 1] = BigInteger.valueOf(sum + move[i]);
        }
        return below;
    }

    @Test
    void noWinnerIsMoreThanEpsilonAwayBetweenSmallNeighbors() {
        // Exact probabilities; each share of epsilon is 1, so the scale is 2Δ.
        double largest = 0;
        SplittableRandom random = new SplittableRandom(82);
        for (Neighborhood neighborhood : List.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.REPLACE_ROW)) {
            List<long[]> moves = Units.moves(FIVE.statistics(), neighborhood);
            for (Rational probability : PROBABILITIES.subList(0, 3)) {
                double scale = 2
                        * NoisyMaxQuantile.l1Sensitivity(probability, neighborhood, 1)
                                .doubleValue();
                for (int round = 0; round < 12; round++) {
                    long[] counts = random.longs(5, 1, 40).toArray();
                    long[] before = distances(counts, new long[5], probability);
                    for (long[] move : moves) {
                        long[] after = distances(counts, move, probability);
                        for (int i = 0; i < 5; i++) {
                            largest = Math.max(
                                    largest, Math.abs(Math.log(wins(scale, before, i) / wins(scale, after, i))));
                        }
                    }
                }
            }
        }
        assertThat(largest).isBetween(0.5, 1 + 1e-9);
    }

    private static long[] distances(long[] counts, long[] move, Rational probability) {
        return Arrays.stream(NoisyMaxQuantile.distances(below(counts, move), probability, BigInteger.ZERO))
                .mapToLong(BigInteger::longValueExact)
                .toArray();
    }

    @Test
    void drawsWinnersWithTheirExactProbabilities() {
        NoisyMaxQuantile median = new NoisyMaxQuantile(
                Epsilon.parse("1"), FIVE, List.of(Rational.of(1, 2)), SmallData.ADD_OR_REMOVE_ROW, 0.05);
        List<long[]> rows = SmallData.rows(-2, -2, -1, 0, 0, 1, 2, 2, 2);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(median, rows);
        long[] hits = new long[5];
        SeededBits bits = new SeededBits(83);
        int draws = 100_000;
        for (int i = 0; i < draws; i++) {
            hits[median.release(exact, bits).quantiles().getFirst().value()]++;
        }
        // In half ranks: 9 against 2·(0, 2, 3, 5, 6, 9). The value has half of epsilon and the sensitivity 1.
        long[] distances = {5, 3, 0, 1, 3};
        for (int i = 0; i < 5; i++) {
            double expected = wins(4, distances, i);
            double sigma = Math.sqrt(expected * (1 - expected) / draws);
            assertThat(hits[i] / (double) draws).isBetween(expected - 5 * sigma, expected + 5 * sigma);
        }
    }

    @Test
    void holdsItsBoundAndItsIntervalsForAllProbabilitiesTogether() {
        // 2,000 releases of three quantiles; misses of at most 0.1, five sigmas 0.034. The rows have ties, gaps and
        // tails.
        SplittableRandom random = new SplittableRandom(84);
        SeededBits bits = new SeededBits(85);
        List<Rational> probabilities = List.of(Rational.of(1, 10), Rational.of(1, 2), Rational.of(19, 20));
        int missed = 0;
        int uncovered = 0;
        int informative = 0;
        for (int dataset = 0; dataset < 20; dataset++) {
            long[] values = random.longs(400, 0, 60)
                    .map(x -> x < 20 ? 17 : x > 55 ? 99 : x)
                    .sorted()
                    .toArray();
            QuantilePoints points = new QuantilePoints(0, false, 0, 99, 1 + dataset % 4, 99 / (1 + dataset % 4) + 1);
            NoisyMaxQuantile mechanism =
                    new NoisyMaxQuantile(Epsilon.parse("3"), points, probabilities, SmallData.REPLACE_ROW, 0.1);
            Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(mechanism, SmallData.rows(values));
            List<List<Long>> quantiles = probabilities.stream()
                    .map(each -> quantiles(values, points, each.doubleValue()))
                    .toList();
            for (int i = 0; i < 100; i++) {
                List<NoisyMaxQuantile.Quantile> drawn =
                        mechanism.release(exact, bits).quantiles();
                double alpha = mechanism.alphaRanks().doubleValue();
                missed += IntStream.range(0, 3)
                                .anyMatch(q -> rankError(
                                                values,
                                                points,
                                                drawn.get(q).value(),
                                                probabilities.get(q).doubleValue())
                                        > alpha + 1e-9)
                        ? 1
                        : 0;
                uncovered += IntStream.range(0, 3)
                                .anyMatch(q -> points.start(drawn.get(q).low())
                                                > quantiles.get(q).getFirst()
                                        || points.end(drawn.get(q).high())
                                                < quantiles.get(q).getLast())
                        ? 1
                        : 0;
                informative += points.start(drawn.get(1).low()) > 0
                                && points.end(drawn.get(1).high()) < 99
                        ? 1
                        : 0;
            }
        }
        assertThat(missed / 2_000.0).isLessThan(0.134);
        assertThat(uncovered / 2_000.0).isLessThan(0.134);
        assertThat(informative).isGreaterThan(670);
    }

    private static long count(long[] values, long below) {
        return Arrays.stream(values).filter(value -> value < below).count();
    }

    private static double rankError(long[] values, QuantilePoints points, int cell, double probability) {
        double rank = probability * values.length;
        long next = cell == points.count() - 1 ? values.length : count(values, points.start(cell + 1));
        return Math.max(0, Math.max(count(values, points.start(cell)) - rank, rank - next));
    }

    /** Every t with #{x < t} <= a·n <= #{x <= t}. */
    private static List<Long> quantiles(long[] values, QuantilePoints points, double probability) {
        double rank = probability * values.length;
        List<Long> quantiles = new ArrayList<>();
        for (long t = points.lower(); t <= points.upper(); t++) {
            if (count(values, t) <= rank + 1e-9 && rank - 1e-9 <= count(values, t + 1)) {
                quantiles.add(t);
            }
        }
        return quantiles;
    }

    @Test
    void drawsOnceForEveryPointWhateverTheRowsAre() {
        List<List<long[]>> datasets =
                List.of(List.of(), SmallData.repeated(1_000, 2), SmallData.rows(-2, -1, 0, 1, 2, 2));
        List<Long> taken = new ArrayList<>();
        for (List<long[]> rows : datasets) {
            NoisyMaxQuantile mechanism =
                    new NoisyMaxQuantile(Epsilon.parse("1"), FIVE, PROBABILITIES, SmallData.ADD_OR_REMOVE_ROW, 0.05);
            AtomicLong requests = new AtomicLong();
            SeededBits seeded = new SeededBits(86);
            RandomBits counting = count -> {
                requests.incrementAndGet();
                return seeded.next(count);
            };
            mechanism.release(SmallData.ONE_COLUMN.sensitive(mechanism, rows), counting);
            taken.add(requests.get());
        }
        // The same tape and the same number of draws: each time the same number of requests.
        assertThat(taken).containsOnly(taken.getFirst());
    }

    @Test
    void placesPointsFromTheLowerBoundUp() {
        assertThat(FIVE).isEqualTo(new QuantilePoints(0, false, -2, 2, 1, 5));
        assertThat(FIVE.end(4)).isEqualTo(2);
        assertThat(QuantilePoints.between(0, false, 7, 7, 100).count()).isEqualTo(1);
        for (long width : new long[] {99_998, 99_999, 100_000, 199_998, 199_999, 1L << 41}) {
            for (int probabilities : new int[] {1, 10, 11, 100}) {
                QuantilePoints points = QuantilePoints.between(0, false, -5, width - 5, probabilities);
                assertThat(points.count()).isBetween(3_000, Math.min(100_000, 1_000_000 / probabilities));
                assertThat(points.start(points.count() - 1)).isBetween(-5L, width - 5);
                assertThat(points.start(points.count() - 1) + points.spacing()).isGreaterThan(width - 5);
                assertThat(points.end(points.count() - 1)).isEqualTo(width - 5);
            }
        }
    }

    @Test
    void refusesProbabilitiesThatAreNone() {
        for (Rational outside : List.of(Rational.ZERO, Rational.ONE, Rational.of(-1, 2), Rational.of(3, 2))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new NoisyMaxQuantile(
                            Epsilon.parse("1"), FIVE, List.of(outside), SmallData.REPLACE_ROW, 0.05));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> QuantilePoints.between(0, false, 2, 1, 1));
    }
}
