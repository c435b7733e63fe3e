package dev.purser.noise;

import java.math.BigInteger;

/**
 * The whole part of X·t/s, where X is a real number with density {@code exp(-x)}: exact, though only the first binary
 * digits of X are ever drawn, because more follow wherever those drawn do not decide. See {@code DiscreteLaplace.md}.
 *
 * <p>X = v + U: the uniform U of [0, 1) is kept with probability {@code exp(-U)}, and v counts the refusals (von Neumann
 * 1951; digits on demand: Karney 2016).
 */
final class ScaledExponential {
    /** Binary places drawn at a time. Tests draw fewer, to see what happens when they do not decide. */
    static final int DIGIT_BITS = 62;

    /** For t of up to this many bits and s of up to 62, {@code long} arithmetic does while v is below 2^12. */
    static final int LONG_BITS = 50;

    private static final long LONG_WHOLES = 1L << 12;

    private final BigInteger t;
    private final BigInteger s;
    private final int digitBits;
    private final boolean fits;
    private final long longT;
    private final long longS;

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
        fits = t.bitLength() <= LONG_BITS && s.bitLength() <= 62;
        longT = fits ? t.longValueExact() : 0;
        longS = fits ? s.longValueExact() : 1;
    }

    /** One exact draw. */
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
                // Where nothing fell yet, the last number is U itself, and they share their further digits.
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

    /** The run above, from where first digits did not tell {@code next} from {@code last}. */
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

    /** {@code floor((v + U)·t/s)} for a U whose first digit is {@code first} and whose others are not drawn. */
    private BigInteger floor(long v, long first, RandomBits bits) {
        if (fits && v < LONG_WHOLES) {
            // U·t lies in [first·t, first·t + t) / 2^digitBits. The product is below 2^112: two words.
            long high = Math.multiplyHigh(first, longT);
            long low = first * longT;
            long rest = low & ((1L << digitBits) - 1);
            if (rest <= (1L << digitBits) - longT) {
                long floorOfUt = (high << (Long.SIZE - digitBits)) | (low >>> digitBits);
                return BigInteger.valueOf((v * longT + floorOfUt) / longS);
            }
        }
        return floor(v, new LazyUniform(first, digitBits), bits);
    }

    private BigInteger floor(long v, LazyUniform u, RandomBits bits) {
        return BigInteger.valueOf(v).multiply(t).add(u.floorOfMultiple(t, bits)).divide(s);
    }

    /** A uniform number of [0, 1), of which {@code places} binary places are drawn: {@code digits / 2^places}. */
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

        /** {@code floor(this · t)}. */
        BigInteger floorOfMultiple(BigInteger t, RandomBits bits) {
            while (true) {
                // this · t lies in [low, low + t) / 2^places
                BigInteger low = digits.multiply(t);
                BigInteger floor = low.shiftRight(places);
                BigInteger highest = low.add(t).subtract(BigInteger.ONE).shiftRight(places);
                if (floor.equals(highest)) {
                    return floor;
                }
                extend(bits);
            }
        }
    }
}
