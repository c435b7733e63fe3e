package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The privacy loss that one part of a mechanism may have: the stated epsilon of pure privacy or the stated rho of
 * zero-concentrated privacy, whichever gives the smaller error. The parts compose to the whole in either form, and also
 * if the forms are mixed.
 *
 * @param epsilon for a pure part; zero if the share has rho alone
 * @param rho for a concentrated part; zero if the share has no rho
 */
record PrivacyShare(Rational epsilon, Rho rho) {
    private static final long LEAST_FOR_A_PART = 100;

    /** The whole of an allowance. */
    static PrivacyShare of(PrivacyAllowance allowance) {
        return new PrivacyShare(
                ExactArithmetic.of(allowance.epsilon()),
                switch (allowance) {
                    case PrivacyAllowance.Pure pure -> Rho.ZERO;
                    case PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta) ->
                        ConcentratedPrivacy.within(epsilon, delta);
                    case PrivacyAllowance.Concentrated concentrated -> concentrated.rho();
                });
    }

    /** One of two equal parts of an allowance. */
    static PrivacyShare halfOf(PrivacyAllowance allowance) {
        Epsilon half = new Epsilon(allowance.epsilon().nanos() / 2);
        return switch (allowance) {
            case PrivacyAllowance.Pure pure ->
                new PrivacyShare(ExactArithmetic.of(allowance.epsilon()).dividedBy(Rational.of(2, 1)), Rho.ZERO);
            // Two (ε/2, δ/2) parts compose to (ε, δ).
            case PrivacyAllowance.Approximate(Epsilon epsilon, Delta delta) ->
                new PrivacyShare(
                        ExactArithmetic.of(epsilon).dividedBy(Rational.of(2, 1)),
                        delta.attos() < 2 ? Rho.ZERO : ConcentratedPrivacy.within(half, new Delta(delta.attos() / 2)));
            // Rhos add up, so a pure part may have more than half of epsilon.
            case PrivacyAllowance.Concentrated concentrated -> {
                Rho halfRho = new Rho(concentrated.rho().picos() / 2);
                Epsilon pure = ConcentratedPrivacy.pureWithin(halfRho, 1);
                yield new PrivacyShare(ExactArithmetic.of(pure.compareTo(half) > 0 ? pure : half), halfRho);
            }
        };
    }

    /**
     * Parts of an allowance's epsilon, in proportion to their claims. They add up to epsilon exactly, and are pure.
     * Each part is the same fraction of every epsilon, so it grows with epsilon. A refinement relies on this.
     *
     * @param claims above zero
     */
    static List<PrivacyShare> ofEpsilon(PrivacyAllowance allowance, List<Rational> claims) {
        Rational epsilon = ExactArithmetic.of(allowance.epsilon());
        Rational all = claims.stream().reduce(Rational.ZERO, Rational::plus);
        return claims.stream()
                .map(claim -> new PrivacyShare(epsilon.times(claim).dividedBy(all), Rho.ZERO))
                .toList();
    }

    /**
     * Parts of an allowance's rho, in proportion to their claims. They add up to rho exactly, and have no epsilon.
     *
     * @param claims above zero
     * @return empty if the allowance has no rho, or too little for so many parts
     */
    static Optional<List<PrivacyShare>> ofRho(PrivacyAllowance allowance, List<Rational> claims) {
        Rho whole = of(allowance).rho();
        if (claims.isEmpty() || whole.picos() < LEAST_FOR_A_PART * claims.size()) {
            return Optional.empty();
        }
        return Optional.of(Arrays.stream(divided(whole.picos(), claims))
                .mapToObj(picos -> new PrivacyShare(Rational.ZERO, new Rho(picos)))
                .toList());
    }

    /**
     * Divides units in proportion to claims. Each part is rounded down, and is one unit at least. The first part takes
     * the remainder. If the parts exceed the units, parts with more than one unit are reduced.
     */
    private static long[] divided(long units, List<Rational> claims) {
        Rational all = claims.stream().reduce(Rational.ZERO, Rational::plus);
        long[] parts = claims.stream()
                .map(claim ->
                        Rational.of(BigInteger.valueOf(units)).times(claim).dividedBy(all))
                .mapToLong(part ->
                        Math.max(1, part.numerator().divide(part.denominator()).longValueExact()))
                .toArray();
        long rest = units - Arrays.stream(parts).sum();
        parts[0] += Math.max(0, rest);
        for (int i = 0; rest < 0; i++) {
            long given = Math.min(-rest, parts[i] - 1);
            parts[i] -= given;
            rest += given;
        }
        return parts;
    }

    /**
     * The event of a mechanism within an allowance: pure if the mechanism used only the allowance's epsilon, else the
     * event that the allowance charges.
     */
    static PrivacyEvent event(PrivacyAllowance allowance, boolean isPure) {
        return isPure ? new PrivacyEvent.PureDifferentialPrivacy(allowance.epsilon()) : allowance.event();
    }
}
