package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mean as {@code origin + (Σ (x − origin) + noise) / (n + noise)}: the release that all means share. The two noisy
 * numbers are private under the scales that the mechanism chose. All further steps are post-processing.
 *
 * <p>The sum is computed in integers, as Σ (divisor·x − shift) with origin = shift/divisor. A plain sum has divisor 1
 * and shift 0. A sum centred on the middle of the range has divisor 2 and shift lower + upper.
 *
 * @param sumNoise in steps of 1/divisor
 * @param countNoise of scale 0 where the count is public
 */
record NoisyRatio(MeanTarget target, int divisor, long shift, DiscreteLaplace sumNoise, DiscreteLaplace countNoise) {

    static NoisyRatio plain(MeanTarget target, Rational forSum, Rational forCount) {
        BigInteger sumSensitivity = target.sum().l1Sensitivity(target.neighborhood());
        return new NoisyRatio(
                target,
                1,
                0,
                DiscreteLaplace.calibrated(sumSensitivity, forSum),
                DiscreteLaplace.calibrated(target.countSensitivity(), forCount));
    }

    static NoisyRatio centered(MeanTarget target, Rational forSum, Rational forCount) {
        BigInteger sumSensitivity = L1Sensitivity.centeredSumInHalfSteps(
                target.neighborhood(),
                target.selective(),
                BigInteger.valueOf(target.lower()),
                BigInteger.valueOf(target.upper()));
        return new NoisyRatio(
                target,
                2,
                target.lower() + target.upper(),
                DiscreteLaplace.calibrated(sumSensitivity, forSum),
                DiscreteLaplace.calibrated(target.countSensitivity(), forCount));
    }

    List<Statistic> statistics() {
        return List.of(target.sum(), target.count());
    }

    /** Adds the scales to the description: the scale of the sum in grid steps, the scale of the count in rows. */
    Description describe(Description description) {
        return description
                .withSteps("sumScale", sumNoise.scale().dividedBy(Rational.of(divisor, 1)))
                .with("countScale", ExactArithmetic.display(countNoise.scale()));
    }

    Stream<AdditiveNoise> noises() {
        return Stream.of(new AdditiveNoise.Laplace(sumNoise), new AdditiveNoise.Laplace(countNoise));
    }

    MeanAnswer release(List<Buckets> tables, double beta, IntegerRelease release) {
        BigInteger exactCount = target.count().of(tables);
        BigInteger exactSum = target.sum()
                .of(tables)
                .multiply(BigInteger.valueOf(divisor))
                .subtract(BigInteger.valueOf(shift).multiply(exactCount));
        BigInteger sum = release.noisy(exactSum, new AdditiveNoise.Laplace(sumNoise));
        BigInteger count = release.noisy(exactCount, new AdditiveNoise.Laplace(countNoise));
        return postProcess(new NoisyInteger(sum, sumError(beta)), new NoisyInteger(count, countError(beta)));
    }

    private MeanAnswer postProcess(NoisyInteger sum, NoisyInteger count) {
        // With a noisy count below 1, a plain quotient says nothing, so the middle is stated. A centred sum is already
        // relative to the middle.
        Rational middle = new Rational(BigInteger.valueOf(target.lower() + target.upper()), BigInteger.TWO);
        Rational stated = count.value().signum() > 0 || divisor == 2
                ? inSteps(new Rational(sum.value(), count.value().max(BigInteger.ONE)))
                : middle;
        // If the exact sum and the exact count (of at least one row) lie within their error bounds, the exact mean lies
        // between these two ends.
        return MeanAnswer.within(
                target, stated, inSteps(sum.leastQuotient(count)), inSteps(sum.greatestQuotient(count)));
    }

    /** The bound that the sum's noise exceeds with probability at most beta, or beta/2 if the count is noisy too. */
    private BigInteger sumError(double beta) {
        boolean publicCount = countNoise.scale().signum() == 0;
        return sumNoise.twoSidedQuantile(publicCount ? beta : beta / 2);
    }

    private BigInteger countError(double beta) {
        return countNoise.twoSidedQuantile(beta / 2);
    }

    /** See {@link MeanMechanism#expectedAlphaSteps}. The argument is in {@code SumAndCountMean.md}. */
    BigDecimal expectedAlphaSteps(long rows, double beta) {
        if (rows < 1) {
            throw new IllegalArgumentException("a mean is of at least one row");
        }
        BigDecimal width = BigDecimal.valueOf(target.upper() - target.lower());
        BigInteger largestTerm =
                term(target.lower()).abs().max(term(target.upper()).abs());
        return NoisyInteger.errorOfQuotient(sumError(beta), largestTerm, countError(beta), BigInteger.valueOf(rows))
                .map(error -> error.dividedBy(Rational.of(divisor, 1)))
                .map(error ->
                        IntervalEstimate.decimal(error, RoundingMode.CEILING).min(width))
                .orElse(width);
    }

    /** The term that a value adds to the sum. */
    private BigInteger term(long value) {
        return BigInteger.valueOf(value).multiply(BigInteger.valueOf(divisor)).subtract(BigInteger.valueOf(shift));
    }

    /** A quotient of the sum, converted to steps from zero. */
    private Rational inSteps(Rational quotient) {
        return Rational.of(shift, divisor).plus(quotient.dividedBy(Rational.of(divisor, 1)));
    }
}
