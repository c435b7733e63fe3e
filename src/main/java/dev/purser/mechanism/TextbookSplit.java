package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplace;
import dev.purser.noise.Rational;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sparse and NumericSparse as printed in the textbook (Dwork and Roth 2014, algorithms 2 and 3), with one correction.
 * With a delta, values get the share 1/(√512 + 1) of epsilon. With the printed 2/√512 the parts would exceed the whole.
 * Argument in {@code SparseVector.md}.
 *
 * @param values the noise of values, if values are released
 */
record TextbookSplit(ThresholdScan comparisons, @Nullable DiscreteLaplace values, boolean isPure) {
    private static final double SQRT_512 = Math.sqrt(512);

    /** A factor larger than the relative error of logarithms and roots in double. */
    private static final double UP = 1 + 1e-12;

    static TextbookSplit of(PrivacyAllowance allowance, ThresholdVariant.Setting setting, boolean withValues) {
        return switch (allowance) {
            case PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta) ->
                approximate(epsilon, delta, setting, withValues);
            case PrivacyAllowance.Pure pure -> pure(pure.epsilon(), setting, withValues);
            case PrivacyAllowance.Concentrated concentrated -> pure(concentrated.epsilon(), setting, withValues);
        };
    }

    private static TextbookSplit pure(Epsilon epsilon, ThresholdVariant.Setting setting, boolean withValues) {
        Rational whole = ExactArithmetic.of(epsilon);
        Rational forValues = withValues ? whole.dividedBy(Rational.of(9, 1)) : Rational.ZERO;
        ThresholdSplit split =
                ThresholdSplit.even(whole.minus(forValues).dividedBy(Rational.of(setting.maxPositives(), 1)));
        return new TextbookSplit(
                scan(
                        split.thresholdNoise(setting.l1Sensitivity()),
                        split.comparisonNoise(setting.l1Sensitivity(), 2, 1),
                        setting),
                withValues ? DiscreteLaplace.calibrated(ofAllValues(setting), forValues) : null,
                true);
    }

    private static TextbookSplit approximate(
            Epsilon epsilon, Delta delta, ThresholdVariant.Setting setting, boolean withValues) {
        if (!isPrivateFor(new PrivacyAllowance.Approximate(epsilon, delta), setting.maxPositives(), withValues)) {
            throw new IllegalArgumentException("advanced composition does not hold at this epsilon");
        }
        double eps = ExactArithmetic.of(epsilon).doubleValue();
        int positives = setting.maxPositives();
        double root = Math.sqrt(32.0 * positives * lnInverse(delta, withValues)) / forComparisons(eps, withValues);
        Rational l1Sensitivity = Rational.of(setting.l1Sensitivity());
        Rational threshold = l1Sensitivity.times(atLeast(root));
        double valueRoot = Math.sqrt(8.0 * positives * lnInverse(delta, true)) * (SQRT_512 + 1) / eps;
        return new TextbookSplit(
                scan(new DiscreteLaplace(threshold), new DiscreteLaplace(threshold.times(Rational.of(2, 1))), setting),
                withValues ? new DiscreteLaplace(l1Sensitivity.times(atLeast(valueRoot))) : null,
                false);
    }

    private static ThresholdScan scan(
            DiscreteLaplace threshold, DiscreteLaplace comparison, ThresholdVariant.Setting setting) {
        return new ThresholdScan(threshold, comparison, setting.maxPositives(), true);
    }

    private static BigInteger ofAllValues(ThresholdVariant.Setting setting) {
        return setting.l1Sensitivity().multiply(BigInteger.valueOf(setting.maxPositives()));
    }

    AdditiveNoise valueNoise() {
        return new AdditiveNoise.Laplace(Objects.requireNonNull(values));
    }

    /**
     * Whether c runs at ε0 = ε1/√(8c·ln(1/δ)) compose to ε1 by advanced composition: c·ε0·(e^ε0 − 1) + √(2c·ln(1/δ))·ε0
     * ≤ ε1. The second term is half of ε1, so the first may be the other half. The values' runs have a smaller ε0 and
     * the same condition.
     */
    static boolean isPrivateFor(PrivacyAllowance allowance, int maxPositives, boolean withValues) {
        if (!(allowance instanceof PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta))) {
            return true;
        }
        double forComparisons = forComparisons(ExactArithmetic.of(epsilon).doubleValue(), withValues);
        double each = forComparisons / Math.sqrt(8.0 * maxPositives * lnInverse(delta, withValues));
        return maxPositives * each * Math.expm1(each) * UP <= forComparisons / 2;
    }

    private static double forComparisons(double epsilon, boolean withValues) {
        return withValues ? epsilon * SQRT_512 / (SQRT_512 + 1) : epsilon;
    }

    /** ln(1/δ). With values, decisions and values have half of delta each. */
    private static double lnInverse(Delta delta, boolean halved) {
        return -Math.log((double) delta.attos() / Delta.ATTOS_PER_UNIT / (halved ? 2 : 1));
    }

    /** A rational at or above a number that is known to a few units in the last place. */
    private static Rational atLeast(double value) {
        BigDecimal up = new BigDecimal(value * UP);
        return new Rational(up.unscaledValue(), BigInteger.TEN.pow(up.scale()));
    }

    /**
     * The textbook's bound for decisions and values together, at sensitivity 1. It is corrected for values with a
     * delta.
     */
    static double alphaForUnitSensitivity(
            PrivacyAllowance allowance, int queries, int maxPositives, boolean withValues, double beta) {
        double eps = ExactArithmetic.of(allowance.epsilon()).doubleValue();
        if (allowance instanceof PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta)) {
            double failure = (double) delta.attos() / Delta.ATTOS_PER_UNIT;
            return withValues
                    ? ThresholdAccuracy.correctedNumericSparse(queries, maxPositives, beta, eps, failure)
                    : ThresholdAccuracy.publishedSparse(queries, maxPositives, beta, eps, failure);
        }
        return withValues
                ? ThresholdAccuracy.publishedNumericSparse(queries, maxPositives, beta, eps)
                : ThresholdAccuracy.publishedSparse(queries, maxPositives, beta, eps);
    }
}
