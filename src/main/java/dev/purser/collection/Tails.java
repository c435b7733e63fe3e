package dev.purser.collection;

import java.util.Arrays;

/**
 * Upper bounds of the probabilities that sums of independent random numbers are far from their means, for any number of
 * summands. They are Chernoff's bounds, made smaller by a bound on the probability of each single value of the tilted
 * sum. {@code Tails.md} has the derivation.
 */
final class Tails {
    /** Above the largest value of {@code √v·exp(-v)·I_0(v)}: Baillon, Cominetti and Vaisman 2016. */
    private static final double PEAK = 0.4689;

    /** The relative error of a probability that is stored as a double, and the absolute error of its complement. */
    private static final double ULP = 1e-15;

    /** The rounding error of the logarithms below, for up to 10^9 summands. {@link #ULP} is added for each summand. */
    private static final double ROUNDING = 1e-6;

    private static final int TILTS = 150;
    private static final double STEP = 1.1;

    private Tails() {}

    /**
     * How many of {@code all} trials have the success probability {@code own}: the least number that the count of
     * successes does not rule out. A number is ruled out if, with this number, the probability of {@code count} or more
     * successes is at most {@code exp(logAlpha)}.
     *
     * @param own is above {@code other}, the success probability of the remaining trials
     */
    static long least(long count, long all, double own, double other, double logAlpha) {
        long ruledOut = -1;
        long least = all;
        while (least - ruledOut > 1) {
            long middle = (ruledOut + least) >>> 1;
            if (logAtLeast(count, middle, all - middle, own, other) <= logAlpha) {
                ruledOut = middle;
            } else {
                least = middle;
            }
        }
        return least;
    }

    /** As {@link #least}, the greatest number that so few successes do not rule out. It follows from the failures. */
    static long greatest(long count, long all, double own, double other, double logAlpha) {
        return all - least(all - count, all, complement(other), complement(own), logAlpha);
    }

    /** The complement, rounded up, because more probable failures make the bound larger. */
    private static double complement(double probability) {
        return Math.min(1, 1 - probability + ULP);
    }

    /** The logarithm of a bound of the probability of at least {@code count} successes in two kinds of trials. */
    static double logAtLeast(long count, long owns, long others, double own, double other) {
        double excess = count - owns * own - others * other;
        long all = owns + others;
        double rounding = ROUNDING + all * ULP;
        if (excess <= 0) {
            return 0;
        }
        if (count == all) {
            return owns * Math.log(own) + others * Math.log(other) + rounding;
        }
        // The odds of a success are multiplied by 1 + tilt, so that the mean is the count: square·tilt² + linear·tilt =
        // excess. Other tilts also give bounds.
        double square = own * other * (all - count);
        double linear = owns * own * (1 + other) + others * other * (1 + own) - count * (own + other);
        double root = Math.sqrt(linear * linear + 4 * square * excess);
        double tilt = linear > 0 ? 2 * excess / (linear + root) : (root - linear) / (2 * square);
        double chernoff = owns * Math.log1p(own * tilt) + others * Math.log1p(other * tilt) - count * Math.log1p(tilt);
        double variance = owns * tiltedVariance(own, tilt) + others * tiltedVariance(other, tilt);
        double atOnePlace = PEAK / Math.sqrt(variance);
        return chernoff + Math.min(0, Math.log(atOnePlace * (1 + tilt) / tilt)) + rounding;
    }

    private static double tiltedVariance(double probability, double tilt) {
        double total = 1 + probability * tilt;
        return probability * (1 - probability) * (1 + tilt) / (total * total);
    }

    /**
     * The largest distance of the sum of discrete Laplace noises from zero, in whole steps of their grid, except with a
     * probability of {@code beta}.
     *
     * @param scales the scale of each kind of noise, in steps
     * @param counts how many noises there are of each kind, at least one
     */
    static double laplace(double[] scales, long[] counts, double beta) {
        double largest = Arrays.stream(scales).max().orElseThrow();
        double least = Double.POSITIVE_INFINITY;
        // Every tilt below 1/largest gives a bound. With many noises the best tilt is near zero. With one noise it is
        // near the end.
        for (int i = -TILTS; i <= TILTS; i++) {
            double tilt = 1 / (largest * (1 + Math.pow(STEP, i)));
            least = Math.min(least, (Math.log(2 / beta) + logTail(scales, counts, largest, tilt)) / tilt);
        }
        return Math.ceil(least);
    }

    /** The logarithm of a bound of the probability that the sum is at least x, plus {@code tilt·x}, for any x. */
    private static double logTail(double[] scales, long[] counts, double largest, double tilt) {
        double logMoment = 0;
        double variance = 0;
        for (int kind = 0; kind < scales.length; kind++) {
            double part = tilt * scales[kind];
            logMoment -= counts[kind] * Math.log1p(-part * part);
            variance += counts[kind] * (square(scales[kind] / (1 - part)) + square(scales[kind] / (1 + part)));
        }
        // The density of a sum is at most the largest density of one of its parts, and at most ofAll: Tails.md.
        double part = tilt * largest;
        double ofOne = (1 - part * part) / (2 * largest);
        double spread = variance - 1.5 * square(largest / (1 - part));
        double ofAll = spread > 0 ? 1 / Math.sqrt(2 * Math.PI * spread) : ofOne;
        return logMoment + Math.min(0, Math.log(Math.min(ofOne, ofAll) / tilt)) + ROUNDING;
    }

    private static double square(double number) {
        return number * number;
    }
}
