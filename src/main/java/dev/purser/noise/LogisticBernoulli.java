package dev.purser.noise;

/**
 * A Bernoulli variable that is true with probability exactly {@code 1 / (exp(exponent) + 1)}, for any rational exponent
 * of at least zero. See {@code LogisticBernoulli.md}.
 */
public final class LogisticBernoulli {
    private final ExponentialBernoulli coin;

    /**
     * The variable with this exponent.
     *
     * @param exponent at least zero
     */
    public LogisticBernoulli(Rational exponent) {
        this(new ExponentialBernoulli(exponent));
    }

    LogisticBernoulli(ExponentialBernoulli coin) {
        this.coin = coin;
    }

    /** Returns one exact draw. */
    public boolean sample(RandomBits bits) {
        while (true) {
            if (bits.next(1) == 0) {
                return false;
            }
            if (coin.sample(bits)) {
                return true;
            }
        }
    }
}
