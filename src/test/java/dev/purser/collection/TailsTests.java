package dev.purser.collection;

import dev.purser.local.FrequencyRandomizer;
import dev.purser.local.GeneralizedRandomizedResponse;
import dev.purser.local.HadamardResponse;
import dev.purser.local.OptimizedLocalHashing;
import dev.purser.local.OptimizedUnaryEncoding;
import dev.purser.local.SupportProbabilities;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Bounds against exact probabilities, which are sums over all outcomes: nothing here is drawn. */
class TailsTests {
    private static final double BETA = 0.05;

    /**
     * Probabilities of the counts from {@code first} on; the counts that are left out have less than 1e-14 together.
     */
    private record Counts(int first, double[] probabilities) {
        static Counts binomial(int trials, double probability) {
            var distribution = new BinomialDistribution(null, trials, probability);
            double reach = 9 * Math.sqrt(distribution.getNumericalVariance()) + 30;
            int first = (int) Math.max(0, distribution.getNumericalMean() - reach);
            int last = (int) Math.min(trials, distribution.getNumericalMean() + reach);
            double[] probabilities = new double[last - first + 1];
            for (int i = 0; i < probabilities.length; i++) {
                probabilities[i] = distribution.probability(first + i);
            }
            return new Counts(first, probabilities);
        }

        Counts plus(Counts other) {
            double[] sum = new double[probabilities.length + other.probabilities.length - 1];
            for (int i = 0; i < probabilities.length; i++) {
                for (int j = 0; j < other.probabilities.length; j++) {
                    sum[i + j] += probabilities[i] * other.probabilities[j];
                }
            }
            return new Counts(first + other.first, sum);
        }

        static Counts of(int owns, int others, SupportProbabilities support) {
            return binomial(owns, support.own()).plus(binomial(others, support.other()));
        }

        double atLeast(int count) {
            double sum = 0;
            for (int i = probabilities.length - 1; i >= Math.max(0, count - first); i--) {
                sum += probabilities[i];
            }
            return sum;
        }
    }

    static List<FrequencyRandomizer<?>> randomizers() {
        List<FrequencyRandomizer<?>> all = new ArrayList<>();
        for (int categories : new int[] {2, 10, 100, 500}) {
            for (String text : List.of("0.1", "1", "3", "6", "10")) {
                Epsilon epsilon = Epsilon.parse(text);
                all.add(new GeneralizedRandomizedResponse(categories, epsilon));
                all.add(new OptimizedUnaryEncoding(categories, epsilon));
                all.add(new HadamardResponse(categories, epsilon));
                if (epsilon.compareTo(OptimizedLocalHashing.MAX_EPSILON) <= 0) {
                    all.add(new OptimizedLocalHashing(categories, epsilon));
                }
            }
        }
        return all;
    }

    /** One category of k misses with a probability of at most beta/k, half of it on each side. */
    @ParameterizedTest
    @MethodSource("randomizers")
    void anIntervalOfAShareMissesAsSeldomAsItSays(FrequencyRandomizer<?> randomizer) {
        SupportProbabilities support = randomizer.support();
        double alpha = BETA / 2 / randomizer.categories();
        for (int reports : new int[] {1, 2, 3, 10, 100, 1_000, 10_000}) {
            long[] holders = LongStream.of(0, 1, reports / randomizer.categories(), reports / 2, reports - 1, reports)
                    .distinct()
                    .toArray();
            for (long truth : holders) {
                Counts counts = Counts.of((int) truth, (int) (reports - truth), support);
                double missedBelow = 0;
                double missedAbove = 0;
                for (int i = 0; i < counts.probabilities().length; i++) {
                    double probability = counts.probabilities()[i];
                    long count = counts.first() + i;
                    missedBelow += truth < least(count, reports, support, alpha) ? probability : 0;
                    missedAbove += truth > greatest(count, reports, support, alpha) ? probability : 0;
                }
                assertThat(missedBelow).as("%d of %d", truth, reports).isLessThanOrEqualTo(alpha);
                assertThat(missedAbove).as("%d of %d", truth, reports).isLessThanOrEqualTo(alpha);
            }
        }
    }

    /** The interval is at most 8 % and two devices wider than the interval by exact probabilities. */
    @ParameterizedTest
    @MethodSource("randomizers")
    void anIntervalOfAShareIsHardlyWiderThanItHasToBe(FrequencyRandomizer<?> randomizer) {
        SupportProbabilities support = randomizer.support();
        double alpha = BETA / 2 / randomizer.categories();
        for (int reports : new int[] {1, 10, 300}) {
            for (int truth : new int[] {0, reports / 2, reports}) {
                long count = Math.round(truth * support.own() + (reports - truth) * support.other());
                long exact = exactGreatest(count, reports, support, alpha) - exactLeast(count, reports, support, alpha);
                long width = greatest(count, reports, support, alpha) - least(count, reports, support, alpha);
                assertThat((double) width).as("%d of %d", truth, reports).isBetween((double) exact, 1.08 * exact + 2);
            }
        }
    }

    private static long least(long count, long reports, SupportProbabilities support, double alpha) {
        return Tails.least(count, reports, support.own(), support.other(), Math.log(alpha));
    }

    private static long greatest(long count, long reports, SupportProbabilities support, double alpha) {
        return Tails.greatest(count, reports, support.own(), support.other(), Math.log(alpha));
    }

    private static long exactLeast(long count, int reports, SupportProbabilities support, double alpha) {
        int holders = 0;
        while (holders < reports
                && Counts.of(holders, reports - holders, support).atLeast((int) count) <= alpha) {
            holders++;
        }
        return holders;
    }

    private static long exactGreatest(long count, int reports, SupportProbabilities support, double alpha) {
        int holders = reports;
        while (holders > 0 && 1 - Counts.of(holders, reports - holders, support).atLeast((int) count + 1) <= alpha) {
            holders--;
        }
        return holders;
    }

    /** Every bound is at least the exact value, also where the tilt, or a probability, is extreme. */
    @ParameterizedTest
    @CsvSource({"5, 5, 0.5, 0.4", "3, 200, 0.999999, 0.000001", "50, 0, 0.7, 0.1", "0, 50, 0.7, 0.1", "1, 1, 0.9, 1e-9"
    })
    void theBoundOfACountIsAboveItsProbability(int owns, int others, double own, double other) {
        Counts counts = Counts.of(owns, others, new SupportProbabilities(own, other, own - other));
        for (int count = 0; count <= owns + others; count++) {
            double bound = Tails.logAtLeast(count, owns, others, own, other);
            assertThat(bound).isGreaterThanOrEqualTo(Math.log(counts.atLeast(count)));
        }
    }

    @Test
    void theBoundIsExactWhereAllReportsSupport() {
        assertThat(Tails.logAtLeast(10, 4, 6, 0.5, 0.25)).isEqualTo(-16 * Math.log(2), within(2e-6));
    }

    /** Noise of scale b is above x with the probability exp(-x/b)/(1 + exp(-1/b)) if x is a whole number of steps. */
    @ParameterizedTest
    @CsvSource({"655, 0.5", "655, 0.05", "65536, 0.05", "65536000, 0.000000001"})
    void oneNoiseIsBoundedByItsOwnTail(double scale, double beta) {
        double half = Tails.laplace(new double[] {scale}, new long[] {1}, beta);
        double missed = 2 * Math.exp(-(half + 1) / scale) / (1 + Math.exp(-1 / scale));
        assertThat(missed).isBetween(0.98 * beta, beta);
    }

    /** The other noises, Z, never reach half of x: the sum is above x with probability exp(-x/b)·E[exp(Z/b)]. */
    @ParameterizedTest
    @CsvSource({"0.05", "0.001", "0.000001"})
    void oneNoiseThatOutweighsAllOthersDecides(double beta) {
        double[] scales = {65_536_000, 6_553.6};
        double half = Tails.laplace(scales, new long[] {1, 100_000}, beta);
        double part = Math.pow(scales[1] / scales[0], 2);
        double missed = Math.exp(-half / scales[0] - 100_000 * Math.log1p(-part));
        assertThat(missed).isBetween(0.99 * beta, beta);
    }

    /** 1.9600, 3.2905 and 4.8916 standard deviations. */
    @ParameterizedTest
    @CsvSource({"0.05, 1.9600", "0.001, 3.2905", "0.000001, 4.8916"})
    void manyNoisesAreNearlyNormal(double beta, double deviations) {
        double half = Tails.laplace(new double[] {1_000}, new long[] {1_000_000}, beta);
        assertThat(half / (1_000 * Math.sqrt(2e6))).isBetween(deviations, 1.02 * deviations);
    }
}
