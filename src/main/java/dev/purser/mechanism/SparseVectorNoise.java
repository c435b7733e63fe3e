package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The noises of the sparse vector technique within an allowance: the variant that compares and, if values are released,
 * the values' noise. {@link SparseVector} and {@link InteractiveSparseVector} choose them in the same way, here.
 *
 * @param comparisons at half of the allowance if values are released, else at all of it
 * @param isPure whether all noises together keep the allowance's epsilon without a delta
 */
record SparseVectorNoise(
        PrivacyAllowance allowance,
        ThresholdVariant.Setting setting,
        Form form,
        double beta,
        ThresholdVariant comparisons,
        @Nullable AdditiveNoise values,
        boolean isPure) {
    static SparseVectorNoise of(PrivacyAllowance allowance, ThresholdVariant.Setting setting, Form form, double beta) {
        FailureProbability.checked(beta);
        boolean withValues = form.release() == Release.VALUES;
        return switch (form.allocation()) {
            case OPTIMAL -> {
                PrivacyShare share = withValues ? PrivacyShare.halfOf(allowance) : PrivacyShare.of(allowance);
                Chosen chosen = chosen(share, setting, form, beta);
                AdditiveNoise values = withValues ? valueNoise(share, setting, beta) : null;
                // Under rho, each half may have more than half of epsilon, so the whole is not pure at the stated
                // epsilon.
                boolean isPure = chosen.isPure()
                        && (values == null || values.isPure() && !(allowance instanceof PrivacyAllowance.Concentrated));
                yield new SparseVectorNoise(allowance, setting, form, beta, chosen.comparisons(), values, isPure);
            }
            case TEXTBOOK -> {
                TextbookSplit split = TextbookSplit.of(allowance, setting, withValues);
                AdditiveNoise values = withValues ? split.valueNoise() : null;
                yield new SparseVectorNoise(
                        allowance, setting, form, beta, split.comparisons(), values, split.isPure());
            }
        };
    }

    private record Chosen(ThresholdVariant comparisons, boolean isPure) {}

    private static Chosen chosen(PrivacyShare share, ThresholdVariant.Setting setting, Form form, double beta) {
        double decisionBeta = decisionBeta(form, beta);
        return switch (form.variant()) {
            case SINGLE_THRESHOLD -> new Chosen(ThresholdVariant.single(setting, share.epsilon()), true);
            case RESTART -> restart(share, setting);
            case ONE_SIDED -> new Chosen(OneSidedScan.single(setting, share.epsilon(), decisionBeta), true);
            case ADAPTIVE -> new Chosen(AdaptiveScan.of(setting, share.epsilon()), true);
            case AUTOMATIC -> {
                Chosen single = new Chosen(ThresholdVariant.single(setting, share.epsilon()), true);
                if (share.rho().equals(Rho.ZERO)) {
                    // Under basic composition restarts have the larger noise, for every c and k.
                    yield single;
                }
                Chosen restart = restart(share, setting);
                BigInteger ofSingle = single.comparisons().alphaSteps(setting.queries(), decisionBeta);
                BigInteger ofRestart = restart.comparisons().alphaSteps(setting.queries(), decisionBeta);
                yield ofRestart.compareTo(ofSingle) < 0 ? restart : single;
            }
        };
    }

    private static Chosen restart(PrivacyShare share, ThresholdVariant.Setting setting) {
        int runs = setting.maxPositives();
        Rational each = ThresholdVariant.ofEachRun(share, runs);
        boolean isPure = each.times(Rational.of(runs, 1)).compareTo(share.epsilon()) <= 0;
        return new Chosen(ThresholdVariant.restart(setting, each), isPure);
    }

    /** With values, decisions and values may each fail with half of beta. */
    private static double decisionBeta(Form form, double beta) {
        return form.release() == Release.VALUES ? beta / 2 : beta;
    }

    /** The noise of up to c values. One unit changes each by up to Δ, and all together by c·Δ in L1 and √c·Δ in L2. */
    private static AdditiveNoise valueNoise(PrivacyShare share, ThresholdVariant.Setting setting, double beta) {
        BigInteger positives = BigInteger.valueOf(setting.maxPositives());
        BigInteger l1Sensitivity = setting.l1Sensitivity();
        return AdditiveNoise.best(
                share,
                l1Sensitivity.multiply(positives),
                l1Sensitivity.pow(2).multiply(positives),
                FailureProbability.ofEach(beta / 2, setting.maxPositives()));
    }

    Description description() {
        String suffix = form.allocation() == Allocation.TEXTBOOK ? "-textbook" : comparisons.suffix();
        Description description =
                comparisons.describe(Description.discreteLaplace(form.release().family() + suffix)
                        .with("maxPositives", setting.maxPositives())
                        .with("monotone", setting.monotone())
                        .withSteps("l1Sensitivity", Rational.of(setting.l1Sensitivity())));
        return values == null
                ? description
                : values.describe(description.with("valueNoise", values.name()), "valueScale");
    }

    PrivacyEvent event() {
        return PrivacyShare.event(allowance, isPure);
    }

    /** The bound on all decisions and released values together, from exact tails. */
    BigInteger alphaSteps(int queries) {
        BigInteger decisions = comparisons.alphaSteps(queries, decisionBeta(form, beta));
        return values == null ? decisions : decisions.max(values.quantile(perPositive(beta / 2)));
    }

    /** Half the width of each released value's interval. All of up to c intervals cover together. */
    Optional<BigInteger> intervalHalfWidthSteps() {
        return Optional.ofNullable(values).map(noise -> noise.quantile(perPositive(beta)));
    }

    private double perPositive(double probability) {
        return FailureProbability.ofEach(probability, setting.maxPositives());
    }

    /**
     * What is released for a positive besides its position: never a value and a gap, because the gap was selected by
     * its own noise.
     *
     * @param valueSteps the value with fresh noise, if values are released
     * @param gapSteps how far the comparison was above the noisy threshold, if gaps are released
     */
    record Shown(Optional<BigInteger> valueSteps, Optional<BigInteger> gapSteps) {}

    Shown shown(BigInteger exact, BigInteger gap, RandomBits bits) {
        return switch (form.release()) {
            case INDICES -> new Shown(Optional.empty(), Optional.empty());
            case GAPS -> new Shown(Optional.empty(), Optional.of(gap));
            case VALUES -> {
                BigInteger noise = requireNonNull(values).sample(bits);
                yield new Shown(Optional.of(exact.add(noise)), Optional.empty());
            }
        };
    }
}
