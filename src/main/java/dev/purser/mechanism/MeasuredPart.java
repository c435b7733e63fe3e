package dev.purser.mechanism;

import dev.purser.mechanism.TablePart.Quantity;
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
import java.util.stream.Stream;

/**
 * A part of a table with the noise that it gets in every group.
 *
 * @param share its share of the allowance; zero for a part that no unit moves
 * @param error the bound of its noises at the failure probability of one value, by which the two divisions are compared
 */
record MeasuredPart(
        TablePart part, GroupSensitivity sensitivity, PrivacyShare share, AdditiveNoise noise, BigInteger error) {
    private static final PrivacyShare NONE = new PrivacyShare(Rational.ZERO, Rho.ZERO);

    /**
     * The noise of all parts, in the order of their claims.
     *
     * <p>The parts divide epsilon, with Laplace noise. If the allowance has a rho, they may divide rho instead, with
     * Gaussian noise. The division with the smaller product of errors is used. A part that no unit moves claims nothing
     * and is exact.
     */
    static List<MeasuredPart> of(
            PrivacyAllowance allowance,
            SequencedMap<TablePart, Rational> claims,
            NoisyTable.Shape shape,
            Neighborhood neighborhood,
            double failure) {
        List<MeasuredPart> exact = new ArrayList<>();
        List<Rational> claimed = new ArrayList<>();
        for (Map.Entry<TablePart, Rational> claim : claims.entrySet()) {
            TablePart part = claim.getKey();
            GroupSensitivity sensitivity = part.sensitivity(neighborhood, shape);
            exact.add(new MeasuredPart(
                    part, sensitivity, NONE, AdditiveNoise.laplace(BigInteger.ZERO, Rational.ONE), BigInteger.ZERO));
            if (sensitivity.l1().signum() > 0) {
                claimed.add(claim.getValue());
            }
        }
        List<MeasuredPart> byEpsilon = calibrated(exact, PrivacyShare.ofEpsilon(allowance, claimed), failure);
        return PrivacyShare.ofRho(allowance, claimed)
                .map(shares -> calibrated(exact, shares, failure))
                .filter(byRho -> errors(byRho).compareTo(errors(byEpsilon)) < 0)
                .orElse(byEpsilon);
    }

    private static List<MeasuredPart> calibrated(List<MeasuredPart> exact, List<PrivacyShare> shares, double failure) {
        Deque<PrivacyShare> left = new ArrayDeque<>(shares);
        return exact.stream()
                .map(part -> part.sensitivity.l1().signum() > 0 ? part.calibrated(left.removeFirst(), failure) : part)
                .toList();
    }

    private MeasuredPart calibrated(PrivacyShare own, double failure) {
        AdditiveNoise calibrated = own.rho().equals(Rho.ZERO)
                ? AdditiveNoise.laplace(sensitivity.l1(), own.epsilon())
                : AdditiveNoise.gaussian(sensitivity.squaredL2(), own.rho());
        return new MeasuredPart(
                part, sensitivity, own, calibrated, calibrated.combinationQuantile(part.draws(), failure));
    }

    private static BigInteger errors(List<MeasuredPart> parts) {
        return parts.stream().map(part -> part.error.max(BigInteger.ONE)).reduce(BigInteger.ONE, BigInteger::multiply);
    }

    /** Whether the part has a share of epsilon, and not of rho. */
    boolean isByEpsilon() {
        return share.rho().equals(Rho.ZERO);
    }

    /** The noise of each integer of one group. */
    Stream<AdditiveNoise> noises() {
        return Stream.generate(() -> noise).limit(part.draws());
    }

    /** The integers of one group with noise. */
    List<BigInteger> release(List<Buckets> group, IntegerRelease release) {
        List<BigInteger> exact = part.of(group);
        if (part.quantity() == Quantity.PAIR_OF_PUBLIC_ROWS) {
            BigInteger first = release.noisy(exact.get(0), noise);
            // The sum of both integers is public, so the second has the negated noise of the first.
            return List.of(first, exact.get(0).add(exact.get(1)).subtract(first));
        }
        return exact.stream().map(integer -> release.noisy(integer, noise)).toList();
    }

    /** A bound in rows that |Σ w·X| of the part's noises X, Σ|w| at most 1, exceeds with this probability at most. */
    Rational error(double failure) {
        return part.inRows(noise.combinationQuantile(part.draws(), failure));
    }

    /** A bound in rows that the sum of {@code draws} of the part's noises exceeds with this probability at most. */
    Rational errorOfSum(int draws, double failure) {
        return part.inRows(noise.sumQuantile(draws, failure));
    }

    /** A bound on the error of the number of rows that follows from the part. */
    Rational errorOfRows(double failure) {
        return part.quantity() == Quantity.PAIR_OF_PUBLIC_ROWS ? Rational.ZERO : errorOfSum(part.draws(), failure);
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
        described.put("sensitivity", shown(sensitivityOfNoise()));
        described.put("scale", shown(noise.spread()));
        return described;
    }

    /** The sensitivity, in the norm that the noise is calibrated to. */
    BigDecimal sensitivityOfNoise() {
        return noise.isPure()
                ? new BigDecimal(sensitivity.l1())
                : new BigDecimal(sensitivity.squaredL2()).sqrt(MathContext.DECIMAL64);
    }

    private BigDecimal shown(BigDecimal steps) {
        return ExactArithmetic.display(part.inData(steps));
    }
}
