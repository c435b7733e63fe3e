package dev.purser.noise;

import java.math.BigInteger;

/**
 * The integer part of X·t/s, where X is a real number with density {@code exp(-x)}. It is exact, although only the
 * first binary digits of X are drawn. More digits are drawn only where these do not decide. Which bits are drawn
 * therefore depends on the distribution and {@code digitBits} alone. See {@code DiscreteLaplace.md}.
 *
 * <p>X = v + U. The uniform U of [0, 1) is accepted with probability {@code exp(-U)}, and v counts the rejections (von
 * Neumann 1951; digits on demand: Karney 2016).
 */
final class ScaledExponential {
    /** Binary places drawn at a time. Tests draw fewer, so that the drawn digits often do not decide. */
    static final int DIGIT_BITS = 62;

    /** Binary places of t/s as a fixed-point number: enough for {@code long} arithmetic while v is below 2^12. */
    private static final int RATIO_BITS = 50;

    private static final long LONG_WHOLES = 1L << 12;

    /** The largest number of fractional places of the fixed-point number for which a shift is defined. */
    private static final int MOST_PLACES = 62;

    private final BigInteger t;
    private final BigInteger s;
    private final int digitBits;
    private final int ratioPlaces;
    private final long ratio;

    /**
     * The multiple t/s of an exponential.
     *
     * @param t above zero
     * @param s above zero
     * @param digitBits 1 … 62
     */
    ScaledExponential(BigInteger t, BigInteger s, int digitBits) {
        this.t = t;
        this.s = s;
        this.digitBits = digitBits;
        // t/s is below 2^(difference + 1), so that the ratio is below 2^RATIO_BITS.
        int difference = t.bitLength() - s.bitLength();
        ratioPlaces = Math.min(RATIO_BITS - 1 - difference, MOST_PLACES);
        ratio = ratioPlaces < 0 ? 0 : t.shiftLeft(ratioPlaces).divide(s).longValueExact();
    }

    /** Returns one exact draw. */
    BigInteger sampleFloor(RandomBits bits) {
        long v = 0;
        while (true) {
            long first = bits.next(digitBits);
            long last = first;
            boolean kept = true;
            long next = bits.next(digitBits);
            while (next < last) {
                kept = !kept;
                last = next;
                next = bits.next(digitBits);
            }
            if (next == last) {
                LazyUniform u = new LazyUniform(first, digitBits);
                // If no number was lower yet, the last number is U itself, and both names share the further digits.
                LazyUniform previous = last == first ? u : new LazyUniform(last, digitBits);
                kept = finish(kept, previous, new LazyUniform(next, digitBits), bits);
                if (kept) {
                    return floor(v, u, bits);
                }
            } else if (kept) {
                return floor(v, first, bits);
            }
            v++;
        }
    }

    /** Continues the run above from the point where first digits did not separate {@code next} from {@code last}. */
    private boolean finish(boolean keptSoFar, LazyUniform last, LazyUniform next, RandomBits bits) {
        boolean kept = keptSoFar;
        LazyUniform lower = last;
        LazyUniform candidate = next;
        while (candidate.isBelow(lower, bits)) {
            kept = !kept;
            lower = candidate;
            candidate = new LazyUniform(bits.next(digitBits), digitBits);
        }
        return kept;
    }

    /** {@code floor((v + U)·t/s)} for a U whose first digit is {@code first} and whose other digits are not drawn. */
    private BigInteger floor(long v, long first, RandomBits bits) {
        if (ratioPlaces >= 0 && v < LONG_WHOLES) {
            // With d digits, U lies in [first, first + 1) / 2^d and t/s in [ratio, ratio + 1) / 2^ratioPlaces, so the
            // product lies in [least, most) / 2^ratioPlaces. first·ratio is below 2^112: two words.
            long part = (Math.multiplyHigh(first, ratio) << (Long.SIZE - digitBits)) | (first * ratio >>> digitBits);
            long least = v * ratio + part;
            long most = least + v + (ratio >>> digitBits) + 4;
            if (least >>> ratioPlaces == most >>> ratioPlaces) {
                return BigInteger.valueOf(least >>> ratioPlaces);
            }
        }
        return floor(v, new LazyUniform(first, digitBits), bits);
    }

    private BigInteger floor(long v, LazyUniform u, RandomBits bits) {
        while (true) {
            // (v + U)·t/s lies in [low, low + t) / unit
            BigInteger low =
                    BigInteger.valueOf(v).shiftLeft(u.places).add(u.digits).multiply(t);
            BigInteger unit = s.shiftLeft(u.places);
            BigInteger[] floor = low.divideAndRemainder(unit);
            if (floor[1].add(t).compareTo(unit) <= 0) {
                return floor[0];
            }
            u.extend(bits);
        }
    }

    /** A uniform number of [0, 1). Its first {@code places} binary places are drawn: {@code digits / 2^places}. */
    private static final class LazyUniform {
        private final int digitBits;
        private BigInteger digits;
        private int places;

        LazyUniform(long first, int digitBits) {
            this.digitBits = digitBits;
            digits = BigInteger.valueOf(first);
            places = digitBits;
        }

        private void extend(RandomBits bits) {
            digits = digits.shiftLeft(digitBits).or(BigInteger.valueOf(bits.next(digitBits)));
            places += digitBits;
        }

        boolean isBelow(LazyUniform other, RandomBits bits) {
            while (true) {
                while (places < other.places) {
                    extend(bits);
                }
                while (other.places < places) {
                    other.extend(bits);
                }
                int order = digits.compareTo(other.digits);
                if (order != 0) {
                    return order < 0;
                }
                extend(bits);
            }
        }
    }
}
