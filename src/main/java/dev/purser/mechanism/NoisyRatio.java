package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;

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

    /** Adds the scales to the description: the sum's in grid steps, the count's in rows. */
    Description describe(Description description) {
        return description
                .withSteps("sumScale", sumNoise.scale().dividedBy(Rational.of(divisor, 1)))
                .with("countScale", ExactArithmetic.display(countNoise.scale()));
    }

    MeanAnswer release(List<Buckets> tables, double beta, RandomBits bits) {
        BigInteger exactCount = target.count().of(tables);
        BigInteger exactSum = target.sum()
                .of(tables)
                .multiply(BigInteger.valueOf(divisor))
                .subtract(BigInteger.valueOf(shift).multiply(exactCount));
        BigInteger sum = exactSum.add(sumNoise.sample(bits));
        BigInteger count = exactCount.add(countNoise.sample(bits));
        return postProcess(sum, count, beta);
    }

    private MeanAnswer postProcess(BigInteger sum, BigInteger count, double beta) {
        BigInteger sumError = sumError(beta);
        BigInteger countError = countError(beta);

        // With a noisy count below 1, a plain quotient says nothing, so the middle is stated. A centred sum is already
        // relative to the middle.
        Rational middle = new Rational(BigInteger.valueOf(target.lower() + target.upper()), BigInteger.TWO);
        Rational origin = Rational.of(shift, divisor);
        Rational stated = count.signum() > 0 || divisor == 2
                ? origin.plus(inSteps(sum).dividedBy(Rational.of(count.max(BigInteger.ONE))))
                : middle;
        return MeanAnswer.within(
                target, stated, lowEnd(sum, sumError, count, countError), highEnd(sum, sumError, count, countError));
    }

    /** The bound that the sum's noise exceeds with probability at most beta, or beta/2 if the count is noisy too. */
    private BigInteger sumError(double beta) {
        boolean publicCount = countNoise.scale().signum() == 0;
        return sumNoise.twoSidedQuantile(publicCount ? beta : beta / 2);
    }

    private BigInteger countError(double beta) {
        return countNoise.twoSidedQuantile(beta / 2);
    }

    /** See {@link MeanMechanism#expectedAlphaSteps}; the argument is in {@code SumAndCountMean.md}. */
    BigDecimal expectedAlphaSteps(long rows, double beta) {
        if (rows < 1) {
            throw new IllegalArgumentException("a mean is of at least one row");
        }
        BigInteger width = BigInteger.valueOf(target.upper() - target.lower());
        BigInteger countError = countError(beta);
        BigInteger leastCount = BigInteger.valueOf(rows).subtract(countError);
        if (leastCount.signum() <= 0) {
            return new BigDecimal(width);
        }
        BigInteger largestTerm =
                term(target.lower()).abs().max(term(target.upper()).abs());
        Rational error = new Rational(
                sumError(beta).add(largestTerm.multiply(countError)), leastCount.multiply(BigInteger.valueOf(divisor)));
        return MeanAnswer.decimal(error, RoundingMode.CEILING).min(new BigDecimal(width));
    }

    /** The term that a value adds to the sum. */
    private BigInteger term(long value) {
        return BigInteger.valueOf(value).multiply(BigInteger.valueOf(divisor)).subtract(BigInteger.valueOf(shift));
    }

    // If the exact sum and the exact count (of at least one row) lie within their error bounds, the exact mean lies
    // between these two ends: the quotient of an interval by a positive interval has its ends at the corners.

    private Rational lowEnd(BigInteger sum, BigInteger sumError, BigInteger count, BigInteger countError) {
        BigInteger least = sum.subtract(sumError);
        BigInteger rows = least.signum() < 0 ? count.subtract(countError) : count.add(countError);
        return Rational.of(shift, divisor).plus(inSteps(least).dividedBy(Rational.of(rows.max(BigInteger.ONE))));
    }

    private Rational highEnd(BigInteger sum, BigInteger sumError, BigInteger count, BigInteger countError) {
        BigInteger greatest = sum.add(sumError);
        BigInteger rows = greatest.signum() < 0 ? count.add(countError) : count.subtract(countError);
        return Rational.of(shift, divisor).plus(inSteps(greatest).dividedBy(Rational.of(rows.max(BigInteger.ONE))));
    }

    private Rational inSteps(BigInteger value) {
        return new Rational(value, BigInteger.valueOf(divisor));
    }
}
