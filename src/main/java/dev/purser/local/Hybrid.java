package dev.purser.local;

import dev.purser.noise.ExponentialBernoulli;
import dev.purser.noise.RandomBits;
import dev.purser.noise.Rational;
import dev.purser.privacy.Epsilon;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reports a number of [-1, 1] by {@link Harmony} with probability {@code e^(-ε/2)} and by {@link Piecewise} otherwise.
 * Up to an epsilon of about 0.61 it always uses Harmony. The worst variance is never above the worst variance of either
 * protocol.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code Hybrid.md}. Several numbers:
 * {@link SampledCoordinates#hybrid}. Source: Wang et al. 2019, section III-C.
 */
public final class Hybrid implements NumericRandomizer<SignOrPoint> {
    /** Up to this epsilon the best share of {@link Piecewise} is zero. */
    public static final double LEAST_EPSILON_WITH_POINTS = Math.log(
            (-5 + 2 * Math.cbrt(6353 - 405 * Math.sqrt(241)) + 2 * Math.cbrt(6353 + 405 * Math.sqrt(241))) / 27);

    private final Harmony signs;
    private final @Nullable Piecewise points;
    private final ExponentialBernoulli chooseSign;
    private final Rational signExponent;

    /**
     * The protocol for an epsilon.
     *
     * @param epsilon above 0, at most {@link Piecewise#MAX_EPSILON}
     */
    public Hybrid(Epsilon epsilon) {
        this(LocalEpsilon.of(epsilon));
    }

    Hybrid(LocalEpsilon localEpsilon) {
        boolean signsOnly = localEpsilon.value() <= LEAST_EPSILON_WITH_POINTS;
        signExponent = signsOnly ? Rational.ZERO : localEpsilon.amount().dividedBy(Rational.of(2, 1));
        signs = new Harmony(localEpsilon);
        points = signsOnly ? null : new Piecewise(localEpsilon);
        chooseSign = new ExponentialBernoulli(signExponent);
    }

    @Override
    public Epsilon epsilon() {
        return signs.epsilon();
    }

    @Override
    public SignOrPoint report(Position value, RandomBits bits) {
        // The choice is independent of the value, so showing it has no privacy loss.
        return points == null || chooseSign.sample(bits) ? signs.report(value, bits) : points.report(value, bits);
    }

    @Override
    public boolean isPossible(SignOrPoint report) {
        return report instanceof Sign || points != null;
    }

    /** The randomizer of the reports that are points; empty if all are signs. */
    public Optional<Piecewise> points() {
        return Optional.ofNullable(points);
    }

    /** A report is a sign with probability {@code exp(-signExponent)}. */
    public Rational signExponent() {
        return signExponent;
    }

    /** The probability that a report is a sign. */
    public double signShare() {
        return Math.exp(-signExponent.doubleValue());
    }

    @Override
    public double contribution(SignOrPoint report) {
        return switch (report) {
            case Sign sign -> signs.contribution(sign);
            case Point point -> pointsOrRefuse().contribution(point);
        };
    }

    @Override
    public int tallies() {
        return 2;
    }

    /** The sum of the signs, then the sum of the points. */
    @Override
    public void add(SignOrPoint report, long[] tally, int offset) {
        switch (report) {
            case Sign sign -> signs.add(sign, tally, offset);
            case Point point -> pointsOrRefuse().add(point, tally, offset + 1);
        }
    }

    @Override
    public double contributions(long[] tally, int offset, long reports) {
        double ofPoints = points == null ? 0 : points.contributions(tally, offset + 1, reports);
        return signs.contributions(tally, offset, reports) + ofPoints;
    }

    private Piecewise pointsOrRefuse() {
        if (points == null) {
            throw new IllegalArgumentException("at this epsilon a report is a sign");
        }
        return points;
    }

    @Override
    public double variance(double v) {
        // Both kinds have expectation v, so their variances mix.
        double ofPoints = points == null ? 0 : points.variance(v);
        return signShare() * signs.variance(v) + (1 - signShare()) * ofPoints;
    }

    // Up to the rounding of values to points the variance is a + b·v², so it is largest at |v| = 0 or |v| = 1.
    @Override
    public double largestVariance() {
        return Math.max(variance(0), variance(1));
    }
}
