package dev.purser.noise;

import java.math.BigInteger;

/**
 * Discrete Laplace noise of a smaller scale, drawn so that an earlier noise of a larger scale is a blurred copy of it.
 * Let {@code V1} be the earlier noise and {@code V2} the result of {@link #sample} for it. {@code V2} has the
 * distribution of {@link DiscreteLaplace} at the later scale, and {@code V1 - V2} is independent of {@code V2}.
 *
 * <p>An integer that was released with {@code V1} is therefore post-processing of the same integer with {@code V2}.
 * Both releases together lose as much as the second release alone. Condition: the integer is the same both times, and
 * {@code V1} is refined once. Derivation: {@code RefinedLaplace.md}. Source: Koufogiannis, Han and Pappas 2016, for the
 * continuous noise.
 */
public final class RefinedLaplace {
    private final boolean isSame;
    private final OneSidedGeometric smallerOfTwo;
    private final OneSidedGeometric cut;

    /**
     * The noise at a later scale, given noise at an earlier one.
     *
     * @param earlier in grid steps, above zero unless the later scale is the same
     * @param later in grid steps, above zero and at most the earlier scale, or both are zero
     */
    public RefinedLaplace(Rational earlier, Rational later) {
        isSame = earlier.equals(later);
        if (!isSame && (later.signum() <= 0 || later.compareTo(earlier) > 0)) {
            throw new IllegalArgumentException("the later scale must be above zero and at most the earlier one");
        }
        // With a = exp(-1/scale): a1² has half of the earlier scale, and a2/a1 has 1/(1/later - 1/earlier).
        smallerOfTwo = new OneSidedGeometric(earlier.dividedBy(Rational.of(2, 1)));
        cut = new OneSidedGeometric(
                isSame ? Rational.ZERO : earlier.times(later).dividedBy(earlier.minus(later)));
    }

    /** Returns one exact draw of the later noise, given the earlier one, in grid steps. */
    public BigInteger sample(BigInteger earlier, RandomBits bits) {
        if (isSame) {
            return earlier;
        }
        // The earlier noise is the difference of two geometric numbers. The smaller of them is drawn again, given this
        // difference. Then each of the two is cut off at a new geometric number.
        BigInteger smaller = smallerOfTwo.sample(bits);
        BigInteger above = earlier.max(BigInteger.ZERO).add(smaller).min(cut.sample(bits));
        BigInteger below = earlier.negate().max(BigInteger.ZERO).add(smaller).min(cut.sample(bits));
        return above.subtract(below);
    }
}
