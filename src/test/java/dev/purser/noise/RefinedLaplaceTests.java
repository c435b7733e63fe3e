package dev.purser.noise;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/** The pair of an earlier and a later noise, enumerated. Draws are compared with the enumeration. */
class RefinedLaplaceTests {
    /** A noise has no probability beyond this number that matters here. */
    private static final int FAR = 60;

    /** Sums leave out what is beyond {@link #FAR}. */
    private static final double NEARLY_EXACT = 1e-8;

    /** The joint law of both noises, cell by cell, as the three steps of the code make it. */
    private record Joint(double a1, double a2, double[] powers) {
        /** Computes the powers of the ratio of the cuts once, because they are most of the work. */
        static Joint of(double earlier, double later) {
            double h = Math.exp(1 / earlier - 1 / later);
            return new Joint(
                    Math.exp(-1 / earlier),
                    Math.exp(-1 / later),
                    IntStream.rangeClosed(0, 6 * FAR)
                            .mapToDouble(j -> Math.pow(h, j))
                            .toArray());
        }

        static double laplace(double a, int x) {
            return (1 - a) / (1 + a) * Math.pow(a, Math.abs(x));
        }

        /** P(min(G, H) = j) for a fixed G and H geometric with the ratio h. */
        private double cutAt(int whole, int j) {
            if (j < 0 || j > whole) {
                return 0;
            }
            return j == whole ? powers[whole] : (1 - powers[1]) * powers[j];
        }

        /** P(V2 = v | V1 = u), summed over what the code draws. */
        double later(int u, int v) {
            double sum = 0;
            for (int g = 0; g <= 4 * FAR; g++) {
                double ofSmaller = (1 - a1 * a1) * Math.pow(a1, 2 * g);
                int above = Math.max(u, 0) + g;
                int below = Math.max(-u, 0) + g;
                double cuts = 0;
                for (int j = Math.max(0, v); j <= above; j++) {
                    cuts += cutAt(above, j) * cutAt(below, j - v);
                }
                sum += ofSmaller * cuts;
            }
            return sum;
        }

        double at(int u, int v) {
            return laplace(a1, u) * later(u, v);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2.5", "1, 0.2", "1.5, 0.75"})
    void theLaterNoiseIsLaplaceAndTheDifferenceIsIndependentOfIt(double earlier, double later) {
        Joint joint = Joint.of(earlier, later);
        for (int v = -6; v <= 6; v++) {
            double sum = 0;
            for (int u = -FAR; u <= FAR; u++) {
                sum += joint.at(u, v);
            }
            assertThat(sum).as("P(V2 = %d)", v).isEqualTo(Joint.laplace(joint.a2(), v), within(NEARLY_EXACT));
        }
        // Independence of V2 and Z: P(V1 = v + z, V2 = v) / P(V2 = v) is the same for every v.
        for (int z = -6; z <= 6; z++) {
            double expected = joint.at(z, 0) / Joint.laplace(joint.a2(), 0);
            for (int v = -6; v <= 6; v++) {
                assertThat(joint.at(v + z, v) / Joint.laplace(joint.a2(), v))
                        .as("P(Z = %d) beside V2 = %d", z, v)
                        .isEqualTo(expected, within(NEARLY_EXACT));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 1", "3, 2.5, 2", "1, 0.5, 1"})
    void bothAnswersTogetherLoseWhatTheSecondLosesAlone(double earlier, double later, int sensitivity) {
        Joint joint = Joint.of(earlier, later);
        double worst = 0;
        for (int first = -9; first <= 9; first++) {
            for (int second = -9; second <= 9; second++) {
                double here = joint.at(first, second);
                double there = joint.at(first - sensitivity, second - sensitivity);
                worst = Math.max(worst, Math.abs(Math.log(here / there)));
            }
        }
        assertThat(worst).isEqualTo(sensitivity / later, within(1e-7));
    }

    @ParameterizedTest
    @CsvSource({"2/1, 1/1", "7/2, 3/1", "10/1, 1/3"})
    void drawsHaveThisJointLaw(String earlierScale, String laterScale) {
        Rational earlier = rational(earlierScale);
        Rational later = rational(laterScale);
        List<Double> expected = new ArrayList<>();
        List<Long> observed = new ArrayList<>();
        cells(earlier, later, expected, observed);
        assertFits(expected, observed);
    }

    /** A draw that forgets the exact integer takes the released one, here 40, for the noise. */
    @Test
    void aDrawFromTheReleasedIntegerIsNotCentred() {
        RefinedLaplace refined = new RefinedLaplace(Rational.of(2, 1), Rational.of(1, 1));
        double sum = 0;
        for (int i = 0; i < 2_000; i++) {
            sum += refined.sample(BigInteger.valueOf(40), BITS).doubleValue();
        }
        // Given 40, the later noise is far above 0. Given a noise of the earlier scale, the later noise is 0 on
        // average.
        assertThat(sum / 2_000).isGreaterThan(1);
    }

    /** The twins, by enumeration. Each twin loses more than is charged for it. */
    @Test
    void freshNoiseAndASecondChildLoseMore() {
        double earlier = 2;
        double later = 1;
        double claimed = 1 / later;
        Joint joint = Joint.of(earlier, later);
        BiFunction<Integer, Integer, Double> fresh =
                (u, v) -> Joint.laplace(joint.a1(), u) * Joint.laplace(joint.a2(), v);
        assertThat(Math.log(fresh.apply(3, 3) / fresh.apply(4, 4))).isEqualTo(claimed + 1 / earlier, within(1e-9));

        // y1 is low and both children are high, for exact integers 0 and 1. The loss tends to 2 * later - earlier
        // epsilons.
        double here = 0;
        double there = 0;
        for (int low = -12; low <= -8; low++) {
            double ofChildren = tail(joint, low, 8);
            here += Joint.laplace(joint.a1(), low) * ofChildren * ofChildren;
            double beside = tail(joint, low - 1, 7);
            there += Joint.laplace(joint.a1(), low - 1) * beside * beside;
        }
        assertThat(Math.log(there / here)).isGreaterThan(claimed + 0.3);
    }

    private static double tail(Joint joint, int earlier, int atLeast) {
        double sum = 0;
        for (int v = atLeast; v <= FAR; v++) {
            sum += joint.later(earlier, v);
        }
        return sum;
    }

    @Test
    void twentyStepsHaveTheErrorOfOneDraw() {
        DiscreteLaplace first = new DiscreteLaplace(Rational.of(20, 1));
        long[] observed = new long[9];
        double[] expected = new double[9];
        double a = Math.exp(-1);
        for (int i = 0; i < expected.length; i++) {
            expected[i] = Joint.laplace(a, i - 4);
        }
        int draws = 20_000;
        for (int i = 0; i < draws; i++) {
            BigInteger noise = first.sample(BITS);
            for (int step = 2; step <= 20; step++) {
                noise = new RefinedLaplace(Rational.of(20, step - 1L), Rational.of(20, step)).sample(noise, BITS);
            }
            int place = noise.intValue() + 4;
            if (place >= 0 && place < observed.length) {
                observed[place]++;
            }
        }
        assertFits(
                Arrays.stream(expected).boxed().toList(),
                Arrays.stream(observed).boxed().toList(),
                draws);
    }

    @Test
    void aSameScaleIsTheSameNoise() {
        BigInteger noise = BigInteger.valueOf(-7);
        assertThat(new RefinedLaplace(Rational.of(3, 1), Rational.of(3, 1)).sample(noise, BITS))
                .isEqualTo(noise);
        assertThat(new RefinedLaplace(Rational.ZERO, Rational.ZERO).sample(BigInteger.ZERO, BITS))
                .isZero();
    }

    @Test
    void refusesALargerScaleAndNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> new RefinedLaplace(Rational.of(1, 1), Rational.of(2, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new RefinedLaplace(Rational.of(1, 1), Rational.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new RefinedLaplace(Rational.ZERO, Rational.of(1, 1)));
    }

    private static final RandomBits BITS = new SeededBits(4711);

    private static final int DRAWS = 120_000;

    private static Rational rational(String text) {
        String[] parts = text.split("/", 2);
        return Rational.of(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    private static void cells(Rational earlier, Rational later, List<Double> expected, List<Long> observed) {
        int most = 5;
        int side = 2 * most + 1;
        long[] seen = new long[side * side];
        DiscreteLaplace first = new DiscreteLaplace(earlier);
        RefinedLaplace second = new RefinedLaplace(earlier, later);
        for (int i = 0; i < DRAWS; i++) {
            BigInteger u = first.sample(BITS);
            int v = second.sample(u, BITS).intValue();
            if (Math.abs(u.intValue()) <= most && Math.abs(v) <= most) {
                seen[(u.intValue() + most) * side + v + most]++;
            }
        }
        Joint joint = Joint.of(earlier.doubleValue(), later.doubleValue());
        for (int u = -most; u <= most; u++) {
            for (int v = -most; v <= most; v++) {
                expected.add(joint.at(u, v));
            }
        }
        for (long each : seen) {
            observed.add(each);
        }
    }

    private static void assertFits(List<Double> expected, List<Long> observed) {
        assertFits(expected, observed, DRAWS);
    }

    /** Asserts that the draws fit, with a last cell for everything else. */
    private static void assertFits(List<Double> expected, List<Long> observed, long draws) {
        double[] probabilities = new double[expected.size() + 1];
        long[] counts = new long[expected.size() + 1];
        double all = 0;
        long seen = 0;
        for (int i = 0; i < expected.size(); i++) {
            probabilities[i] = expected.get(i);
            counts[i] = observed.get(i);
            all += expected.get(i);
            seen += observed.get(i);
        }
        probabilities[expected.size()] = Math.max(0, 1 - all);
        counts[expected.size()] = draws - seen;
        GoodnessOfFit.assertFits(counts, probabilities);
    }
}
