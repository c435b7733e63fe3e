package dev.purser.synopsis;

import dev.purser.synopsis.Estimates.Estimate;
import dev.purser.synopsis.Moments.Sums;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * If all estimated sums are within their bounds, the intervals of means, variances and correlations contain the exact
 * numbers, whatever the rows are. Estimates and bounds, small and large, are drawn.
 */
class MomentsTests {
    private static final double REACH = 5;
    private static final int TIMES = 20_000;

    private final Random random = new Random(5);

    /** Invented rows: the distances of two columns from their middles. */
    private record Rows(double[] one, double[] other) {
        int count() {
            return one.length;
        }

        double sum(double[] first, double[] second) {
            return IntStream.range(0, count())
                    .mapToDouble(i -> first[i] * second[i])
                    .sum();
        }

        double mean(double[] values) {
            return IntStream.range(0, count()).mapToDouble(i -> values[i]).sum() / count();
        }

        double covariance(double[] first, double[] second) {
            return sum(first, second) / count() - mean(first) * mean(second);
        }
    }

    private Rows rows() {
        int count = 1 + random.nextInt(12);
        double[] one = random.ints(count, -5, 6).asDoubleStream().toArray();
        double share = random.nextInt(3) / 2.0;
        double[] other = IntStream.range(0, count)
                .mapToDouble(i -> random.nextDouble() < share ? one[i] : random.nextInt(-5, 6))
                .toArray();
        return new Rows(one, other);
    }

    /** An estimate whose error is within its bound, often equal to the bound. */
    private Estimate estimated(double exact, double error) {
        double bound = error * random.nextInt(1, 4) / 4.0;
        double place = random.nextInt(3) == 0 ? random.nextDouble(-1, 1) : random.nextInt(-1, 2);
        return new Estimate(exact + bound * place, bound);
    }

    private Estimate estimated(double exact) {
        return estimated(exact, random.nextBoolean() ? 0.5 : 8);
    }

    private static BigDecimal value(FreeAnswer answer) {
        return Objects.requireNonNull(answer.value());
    }

    private static BigDecimal low(FreeAnswer answer) {
        return Objects.requireNonNull(answer.interval()).low();
    }

    private static BigDecimal high(FreeAnswer answer) {
        return Objects.requireNonNull(answer.interval()).high();
    }

    private static void contains(FreeAnswer answer, double exact) {
        assertThat(exact)
                .as(answer.toString())
                .isBetween(low(answer).doubleValue() - 1e-9, high(answer).doubleValue() + 1e-9);
        assertThat(value(answer)).isBetween(low(answer), high(answer));
        assertThat(answer.alpha()).isGreaterThanOrEqualTo(Math.abs(value(answer).doubleValue() - exact) - 1e-9);
    }

    private Sums sums(Rows rows, double[] values) {
        return new Sums(estimated(rows.mean(values) * rows.count()), estimated(rows.sum(values, values)), REACH);
    }

    @Test
    void meansAreInTheirIntervals() {
        for (int i = 0; i < TIMES; i++) {
            Rows rows = rows();
            FreeAnswer mean =
                    Moments.mean(estimated(rows.count()), estimated(rows.mean(rows.one()) * rows.count()), 40, REACH);
            contains(mean, 40 + rows.mean(rows.one()));
            assertThat(low(mean).doubleValue()).isGreaterThanOrEqualTo(35);
            assertThat(high(mean).doubleValue()).isLessThanOrEqualTo(45);
        }
    }

    @Test
    void variancesAreInTheirIntervals() {
        for (int i = 0; i < TIMES; i++) {
            Rows rows = rows();
            Sums sums = sums(rows, rows.one());
            FreeAnswer variance = Moments.variance(estimated(rows.count()), sums.sum(), sums.squares(), REACH);
            contains(variance, rows.covariance(rows.one(), rows.one()));
            assertThat(low(variance).signum()).isNotNegative();
            assertThat(high(variance).doubleValue()).isLessThanOrEqualTo(25);
        }
    }

    @Test
    void correlationsAreInTheirIntervals() {
        int narrow = 0;
        for (int i = 0; i < TIMES; i++) {
            Rows rows = rows();
            double variances = rows.covariance(rows.one(), rows.one()) * rows.covariance(rows.other(), rows.other());
            FreeAnswer correlation = Moments.correlation(
                    estimated(rows.count(), 0.1),
                    sums(rows, rows.one()),
                    sums(rows, rows.other()),
                    estimated(rows.sum(rows.one(), rows.other()), 0.1));
            double exact = rows.covariance(rows.one(), rows.other()) / Math.sqrt(variances);
            contains(correlation, variances < 1e-9 ? 0 : exact);
            narrow += low(correlation).doubleValue() > -0.5 ? 1 : 0;
        }
        assertThat(narrow).isGreaterThan(TIMES / 50);
    }

    /** If there may be less than one row, a mean can be anything, and so can the other moments. */
    @Test
    void ofLessThanOneRowTheyCanBeAnything() {
        Estimate few = new Estimate(1.5, 0.6);
        Estimate zero = new Estimate(0, 0.1);
        FreeAnswer mean = Moments.mean(few, zero, 40, REACH);
        assertThat(value(mean)).isEqualByComparingTo("40");
        assertThat(low(mean)).isEqualByComparingTo("35");
        assertThat(high(mean)).isEqualByComparingTo("45");
        assertThat(high(Moments.variance(few, zero, zero, REACH))).isEqualByComparingTo("25");
        Sums sums = new Sums(zero, new Estimate(30, 0.1), REACH);
        FreeAnswer correlation = Moments.correlation(few, sums, sums, zero);
        assertThat(low(correlation)).isEqualByComparingTo("-1");
        assertThat(high(correlation)).isEqualByComparingTo("1");
    }

    @Test
    void ofAConstantColumnNothingIsKnownOfItsCorrelation() {
        Estimate rows = new Estimate(100, 0);
        Sums constant = new Sums(new Estimate(0, 0), new Estimate(0, 0), REACH);
        Sums other = new Sums(new Estimate(0, 0), new Estimate(900, 0), REACH);
        FreeAnswer correlation = Moments.correlation(rows, constant, other, new Estimate(0, 0));
        assertThat(value(correlation)).isEqualByComparingTo("0");
        assertThat(low(correlation)).isEqualByComparingTo("-1");
        assertThat(high(correlation)).isEqualByComparingTo("1");
    }
}
