package dev.purser.mechanism;

import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A part of a table with the noise that it gets in every group.
 *
 * @param share of the allowance; zero for a part that no unit moves
 * @param error the bound that one draw exceeds so rarely that all draws of the table hold together at 1 − beta
 */
record MeasuredPart(
        TablePart part,
        Statistic statistic,
        GroupSensitivity sensitivity,
        PrivacyShare share,
        AdditiveNoise noise,
        BigInteger error) {
    private static final PrivacyShare NONE = new PrivacyShare(Rational.ZERO, Rho.ZERO);

    /**
     * The noise of all parts, in the order of their claims.
     *
     * <p>The parts divide epsilon, with Laplace noise, or they divide rho where the allowance has one, with Gaussian
     * noise. What is taken is the division with the smaller product of errors. A part that no unit moves claims nothing
     * and is exact.
     */
    static List<MeasuredPart> of(
            PrivacyAllowance allowance,
            SequencedMap<TablePart, Rational> claims,
            NoisyTable.Shape shape,
            Neighborhood neighborhood,
            double beta) {
        List<MeasuredPart> exact = new ArrayList<>();
        List<Rational> claimed = new ArrayList<>();
        for (Map.Entry<TablePart, Rational> claim : claims.entrySet()) {
            TablePart part = claim.getKey();
            GroupSensitivity sensitivity = GroupSensitivity.of(
                    neighborhood, shape.filtered(), shape.groups(), part.leastTerm(), part.greatestTerm());
            exact.add(new MeasuredPart(
                    part,
                    part.statistic(shape.filtered()),
                    sensitivity,
                    NONE,
                    AdditiveNoise.laplace(BigInteger.ZERO, Rational.ONE),
                    BigInteger.ZERO));
            if (sensitivity.l1().signum() > 0) {
                claimed.add(claim.getValue());
            }
        }
        double ofEach = FailureProbability.ofEach(beta, Math.max(1, shape.groups() * claimed.size()));
        List<MeasuredPart> byEpsilon = calibrated(exact, PrivacyShare.ofEpsilon(allowance, claimed), ofEach);
        return PrivacyShare.ofRho(allowance, claimed)
                .map(shares -> calibrated(exact, shares, ofEach))
                .filter(byRho -> errors(byRho).compareTo(errors(byEpsilon)) < 0)
                .orElse(byEpsilon);
    }

    private static List<MeasuredPart> calibrated(List<MeasuredPart> exact, List<PrivacyShare> shares, double ofEach) {
        Deque<PrivacyShare> left = new ArrayDeque<>(shares);
        return exact.stream()
                .map(part -> part.sensitivity.l1().signum() > 0 ? part.calibrated(left.removeFirst(), ofEach) : part)
                .toList();
    }

    private MeasuredPart calibrated(PrivacyShare own, double ofEach) {
        AdditiveNoise calibrated = own.rho().equals(Rho.ZERO)
                ? AdditiveNoise.laplace(sensitivity.l1(), own.epsilon())
                : AdditiveNoise.gaussian(sensitivity.squaredL2(), own.rho());
        return new MeasuredPart(part, statistic, sensitivity, own, calibrated, calibrated.quantile(ofEach));
    }

    private static BigInteger errors(List<MeasuredPart> parts) {
        return parts.stream().map(part -> part.error.max(BigInteger.ONE)).reduce(BigInteger.ONE, BigInteger::multiply);
    }

    /** Whether the noise is that of a pure share of epsilon. */
    boolean isByEpsilon() {
        return share.rho().equals(Rho.ZERO);
    }

    NoisyInteger release(List<Buckets> group, RandomBits bits) {
        BigInteger noisy = statistic.of(group).add(noise.sample(bits));
        return new NoisyInteger(noisy, error);
    }

    /** The part as answers state it, in the unit of the data. */
    Map<String, Object> described() {
        SequencedMap<String, Object> described = part.described();
        described.put("noise", noise.name());
        if (isByEpsilon()) {
            described.put("epsilon", ExactArithmetic.display(share.epsilon()).toPlainString());
        } else {
            described.put("rho", share.rho().toString());
        }
        described.put("sensitivity", shown(noise.isPure() ? new BigDecimal(sensitivity.l1()) : l2()));
        described.put("scale", shown(noise.spread()));
        return described;
    }

    private BigDecimal l2() {
        return new BigDecimal(sensitivity.squaredL2()).sqrt(MathContext.DECIMAL64);
    }

    private BigDecimal shown(BigDecimal steps) {
        return ExactArithmetic.display(part.inData(steps));
    }
}
