package dev.purser.noise;

import java.math.BigInteger;

/**
 * Accepts an integer y with probability {@code exp(-r)}, {@code r = (|y| - σ²/t)² / (2σ²)}. This turns discrete Laplace
 * draws of scale t into discrete Gaussian draws. It is exact: y is accepted iff an exponential E is at least r. E and r
 * are first computed roughly. They are computed exactly wherever the rough numbers do not decide. See
 * {@code DiscreteGaussian.md}.
 */
final class GaussianAcceptance {
    /**
     * Binary places of E that are drawn first: so few that {@code long} arithmetic nearly always suffices. Tests use
     * fewer.
     */
    static final int GRID_BITS = 40;

    /** Binary places of the approximate r. */
    static final int ROUGH_BITS = 50;

    /** A bound on the error of the approximate r, in units of its last place: four times the proved bound. */
    static final long ROUGH_ERROR = 16;

    /** The result where {@code long} cannot hold an approximate r. */
    static final long UNKNOWN = -1;

    /** Binary places of z = sqrt(r) during its computation. */
    private static final int ROOT_BITS = 55;

    private final int gridBits;
    private final ScaledExponential exponential;
    private final ScaledExponential further;

    // r = (|y|·factor - offset)² / divisor
    private final BigInteger factor;
    private final BigInteger offset;
    private final BigInteger divisor;

    // z = |y| / (σ·sqrt 2) - σ / (t·sqrt 2). 2^rootShift·|y|·slope / 2^64 and intercept are the two terms of z, in
    // units of 2^-ROOT_BITS.
    private final int rootShift;
    private final boolean hasRoots;
    private final long slope;
    private final long intercept;

    /**
     * The acceptance for one variance and one scale of the candidates.
     *
     * @param variance σ², above zero
     * @param t above zero
     * @param digitBits the binary places that an exponential draws at a time, 1 … 62
     * @param gridBits 0 … {@value #GRID_BITS}
     */
    GaussianAcceptance(Rational variance, BigInteger t, int digitBits, int gridBits) {
        BigInteger n = variance.numerator();
        BigInteger d = variance.denominator();
        this.gridBits = gridBits;
        factor = t.multiply(d);
        offset = n;
        divisor = factor.multiply(t).multiply(n).shiftLeft(1);
        exponential = new ScaledExponential(BigInteger.ONE.shiftLeft(gridBits), BigInteger.ONE, digitBits);
        further = new ScaledExponential(divisor.shiftLeft(gridBits), BigInteger.ONE, digitBits);

        // slopeBits so that slope = floor(2^slopeBits / (σ·sqrt 2)) is in [2^60, 2^62)
        int slopeBits = Math.ceilDiv(121 + n.bitLength() + 1 - d.bitLength(), 2);
        rootShift = Long.SIZE + ROOT_BITS - slopeBits;
        hasRoots = rootShift >= 0 && rootShift < Long.SIZE - 1;
        slope = hasRoots ? rootOf(d.shiftLeft(2 * slopeBits), n.shiftLeft(1)) : 0;
        intercept =
                hasRoots ? rootOf(n.shiftLeft(2 * ROOT_BITS), factor.multiply(t).shiftLeft(1)) : 0;
    }

    /** {@code floor(sqrt(numerator / denominator))}. */
    private static long rootOf(BigInteger numerator, BigInteger denominator) {
        return numerator.divide(denominator).sqrt().longValueExact();
    }

    boolean accepts(BigInteger y, RandomBits bits) {
        // E lies in [wholes, wholes + 1) / 2^gridBits.
        BigInteger wholes = exponential.sampleFloor(bits);
        long rough = rough(y);
        if (rough != UNKNOWN && wholes.bitLength() <= 12 + gridBits) {
            int scaleUp = ROUGH_BITS - gridBits;
            long least = wholes.longValue() << scaleUp;
            if (least >= rough + ROUGH_ERROR) {
                return true;
            }
            if (least + (1L << scaleUp) <= rough - ROUGH_ERROR) {
                return false;
            }
        }
        return accepts(y, wholes, bits);
    }

    /** r in units of 2^-ROUGH_BITS, with an error below ROUGH_ERROR, or UNKNOWN. */
    long rough(BigInteger y) {
        if (!hasRoots || y.bitLength() > Long.SIZE - 2 - rootShift) {
            return UNKNOWN;
        }
        // |y| << rootShift is at most 2^62. Both products have two words, and the high word suffices.
        long z = Math.multiplyHigh(Math.abs(y.longValue()) << rootShift, slope) - intercept;
        return Math.multiplyHigh(z << 2, z << 2);
    }

    /** Whether E >= r, without rounding. */
    private boolean accepts(BigInteger y, BigInteger wholes, RandomBits bits) {
        // In units of 2^-gridBits / divisor, r is the integer below and E lies in [least, least + divisor).
        BigInteger distance = y.abs().multiply(factor).subtract(offset);
        BigInteger r = distance.multiply(distance).shiftLeft(gridBits);
        BigInteger least = wholes.multiply(divisor);
        if (least.compareTo(r) >= 0) {
            return true;
        }
        if (least.add(divisor).compareTo(r) <= 0) {
            return false;
        }
        // The fraction of E beyond wholes is independent of wholes, so the fraction of another exponential may replace
        // it.
        BigInteger beyond = further.sampleFloor(bits).mod(divisor);
        return least.add(beyond).compareTo(r) >= 0;
    }
}
