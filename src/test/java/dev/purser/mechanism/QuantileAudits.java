package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Audits of quantiles and of the noisy maximum below them. */
final class QuantileAudits {
    private QuantileAudits() {}

    /**
     * The first quartile of 400·m rows of 0 … 3, epsilon 2. All three draws stand at an edge: a unit of rows of 0 that
     * is added, or replaces a unit of rows of 3, makes the near cell as good as the next cell was. The event is that
     * all draws take the near cell.
     */
    static AuditCase quantile(Neighborhood neighborhood) {
        Quartile quartile = new Quartile(neighborhood);
        return new AuditCase(
                new Audit<>(
                        quartile.mechanism(),
                        SmallData.ONE_COLUMN,
                        quartile.pair(),
                        answer -> answer.quantiles().getFirst().low() == 0
                                && answer.quantiles().getFirst().value() <= 1
                                && answer.quantiles().getFirst().high() <= 2),
                () -> new AuditCase.Probabilities(quartile.probability(false), quartile.probability(true)));
    }

    private record Quartile(Neighborhood neighborhood) {
        NoisyMaxQuantile mechanism() {
            return ServedMechanisms.quantile(
                    "2", QuantilePoints.between(0, false, 0, 3, 1), Rational.of(1, 4), neighborhood);
        }

        private int m() {
            return neighborhood.unit().maxRows();
        }

        private boolean adds() {
            return neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE;
        }

        /** In quarters of a rank: a row below a point lowers the distance by three, a row above raises it by one. */
        private long sensitivity() {
            return (adds() ? 3L : 4L) * m();
        }

        private long size(boolean withUnit) {
            return 400L * m() + (adds() && withUnit ? m() : 0);
        }

        /** What each draw aims at, in quarters of a rank: the lower end, the value, the upper end. */
        private long target(int draw, boolean withUnit) {
            return size(withUnit) + (draw - 1) * mechanism().shift(0).longValueExact();
        }

        /** Rows below 1, 2 and 3. */
        private long[] below(boolean withUnit) {
            return IntStream.range(0, 3)
                    .mapToLong(draw -> Math.floorDiv(target(draw, false) - sensitivity(), 4) + (withUnit ? m() : 0))
                    .toArray();
        }

        Pair pair() {
            // The rows of all other units. The unit has rows of 0, in place of rows of 3 where units are replaced.
            long[] below = below(false);
            List<long[]> others = LongStream.range(0, 400L * m() - (adds() ? 0 : m()))
                    .map(row -> LongStream.of(below).filter(edge -> row >= edge).count())
                    .mapToObj(value -> new long[] {value})
                    .toList();
            return Pair.of(neighborhood, others, new long[] {3}, new long[] {0});
        }

        double probability(boolean withUnit) {
            long[] below = below(withUnit);
            // Noise of 2Δ: half of epsilon for the value, a quarter for each end.
            double[] scales = {4.0 * sensitivity(), 2.0 * sensitivity(), 4.0 * sensitivity()};
            double probability = 1;
            for (int draw = 0; draw < 3; draw++) {
                long target = target(draw, withUnit);
                long[] distances = {
                    Math.max(0, target - 4 * below[0]),
                    Math.max(0, Math.max(4 * below[0] - target, target - 4 * below[1])),
                    Math.max(0, Math.max(4 * below[1] - target, target - 4 * below[2])),
                    Math.max(0, 4 * below[2] - target)
                };
                double near = 0;
                for (int cell = 0; cell <= draw; cell++) {
                    near += NoisyMaxQuantileTests.wins(scales[draw], distances, cell);
                }
                probability *= near;
            }
            return probability;
        }
    }

    /**
     * A replaced row lowers the first of three counts and raises the others: (1, 0, 0) against (0, 1, 1). The event is
     * that the first is chosen. This is the worst that can happen to a noisy maximum, and more than can happen to the
     * cells of a quantile.
     */
    static AuditCase noisyMax(String epsilon) {
        SmallData flags = new SmallData(IntStream.range(0, 3)
                .mapToObj(column -> new SmallData.View(column, row -> row[column] == 1))
                .toList());
        double scale = 2 / Double.parseDouble(epsilon);
        return new AuditCase(
                new Audit<>(
                        new LargestOfThreeCounts(Epsilon.parse(epsilon)),
                        flags,
                        Pair.of(SmallData.REPLACE_ROW, List.of(), new long[] {1, 0, 0}, new long[] {0, 1, 1}),
                        position -> position == 0),
                () -> new AuditCase.Probabilities(
                        NoisyMaxQuantileTests.wins(scale, new long[] {0, 1, 1}, 0),
                        NoisyMaxQuantileTests.wins(scale, new long[] {1, 0, 0}, 0)));
    }

    private record LargestOfThreeCounts(Epsilon epsilon) implements Mechanism<Integer> {
        @Override
        public Description description() {
            return Description.discreteLaplace("noisy-max").withNoise(Description.ONE_SIDED_GEOMETRIC);
        }

        @Override
        public PrivacyEvent event() {
            return new PrivacyEvent.PureDifferentialPrivacy(epsilon);
        }

        @Override
        public List<Statistic> statistics() {
            return IntStream.range(0, 3)
                    .<Statistic>mapToObj(table -> Statistic.Count.ofAll(table, true))
                    .toList();
        }

        @Override
        public Integer release(Sensitive<List<Buckets>> exact, RandomBits bits) {
            BigInteger[] distances = statistics().stream()
                    .map(count -> count.of(exact.open()).negate())
                    .toArray(BigInteger[]::new);
            return NoisyMax.calibrated(BigInteger.ONE, ExactArithmetic.of(epsilon))
                    .nearest(distances, bits);
        }
    }
}
