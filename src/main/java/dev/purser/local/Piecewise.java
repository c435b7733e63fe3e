package dev.purser.local;

import dev.purser.noise.ExponentialBernoulli;
import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;

/**
 * Reports a number of [-1, 1] as one of {@value #POINTS} points: the piecewise mechanism on integers. The value
 * determines the place of a band of points. Each point of the band is {@code e^ε} times as probable as each point
 * outside.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private, for any width of the band. Argument in
 * {@code Piecewise.md}. Several numbers: {@link SampledCoordinates#piecewise}. Source: Wang et al. 2019, algorithm 2.
 */
public final class Piecewise implements NumericRandomizer<Point> {
    /** The number of points of a report. */
    public static final int POINTS = 1 << 16;

    /** Above it a report takes more than {@code e^(ε/2)}, or 148, tries on average. */
    public static final Epsilon MAX_EPSILON = new Epsilon(10 * Epsilon.NANOS_PER_UNIT);

    private final LocalEpsilon localEpsilon;
    private final int band;
    private final ExponentialBernoulli coin;
    // The weight of a point outside the band, the weight of all points, and the contribution of half a point distance.
    private final double outside;
    private final double total;
    private final double halfStep;

    /**
     * The protocol for an epsilon.
     *
     * @param epsilon above 0, at most {@link #MAX_EPSILON}
     */
    public Piecewise(Epsilon epsilon) {
        this(LocalEpsilon.of(epsilon));
    }

    Piecewise(LocalEpsilon localEpsilon) {
        if (localEpsilon.roundedUp().compareTo(MAX_EPSILON) > 0) {
            throw new IllegalArgumentException("points are drawn with an epsilon of at most " + MAX_EPSILON);
        }
        this.localEpsilon = localEpsilon;
        band = bandOf(localEpsilon.value());
        coin = localEpsilon.coin();
        outside = Math.exp(-localEpsilon.value());
        total = band + (POINTS - band) * outside;
        halfStep = total / (-Math.expm1(-localEpsilon.value()) * band * (POINTS - band));
    }

    // The band's share of the continuous mechanism's range, (C - 1) / 2C = 1 / (e^(ε/2) + 1). StrictMath is used
    // because devices and collectors on all machines must agree on the integer.
    private static int bandOf(double epsilon) {
        return (int) Math.rint(POINTS / (StrictMath.exp(epsilon / 2) + 1));
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    @Override
    public Point report(Position value, RandomBits bits) {
        long start = value.stochasticallyRounded(POINTS - band, bits);
        while (true) {
            long candidate = UniformInteger.below(POINTS, bits);
            // A coin is tossed for the band too, so that the draws and their number do not depend on the value.
            boolean accepted = coin.sample(bits);
            if (accepted || (candidate >= start && candidate < start + band)) {
                return new Point((int) candidate);
            }
        }
    }

    @Override
    public boolean isPossible(Point report) {
        return true;
    }

    /** The number of points in the band. */
    public int band() {
        return band;
    }

    @Override
    public double contribution(Point report) {
        return halfStep * fromMiddle(report.index());
    }

    @Override
    public int tallies() {
        return 1;
    }

    /** The sum of the points' distances from the middle. */
    @Override
    public void add(Point report, long[] tally, int offset) {
        tally[offset] = Math.addExact(tally[offset], fromMiddle(report.index()));
    }

    @Override
    public double contributions(long[] tally, int offset, long reports) {
        return tally[offset] * halfStep;
    }

    /** The distance of a point from the middle, in half steps. */
    private static int fromMiddle(int index) {
        return 2 * index - (POINTS - 1);
    }

    @Override
    public double variance(double v) {
        double free = POINTS - band;
        double start = (v + 1) / 2 * free;
        double roundedUp = start - Math.floor(start);
        // The mean square of fromMiddle over the band, whose start is rounded at random, and over all points.
        double inBand = free * free * v * v + 4 * roundedUp * (1 - roundedUp) + (Math.pow(band, 2) - 1) / 3;
        double everywhere = (Math.pow(POINTS, 2) - 1) / 3;
        double meanSquare = (outside * POINTS * everywhere + (1 - outside) * band * inBand) / total;
        return halfStep * halfStep * meanSquare - v * v;
    }

    // Without the rounding of values to points the variance grows with |v|. The rounding adds less than the square of a
    // point distance.
    @Override
    public double largestVariance() {
        return variance(1);
    }
}
