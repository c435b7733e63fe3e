package dev.purser.local;

import dev.purser.noise.ExponentialBernoulli;
import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;

/**
 * Reports one of k public categories: the true one with probability {@code e^ε / (e^ε + k - 1)}, each other one with
 * {@code 1 / (e^ε + k - 1)}.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code GeneralizedRandomizedResponse.md}.
 * Source: Warner 1965 for two categories; Kairouz, Bonawitz and Ramage 2016; Wang et al. 2017.
 */
public final class GeneralizedRandomizedResponse implements LocalRandomizer<Integer, Integer> {
    public static final int MAX_CATEGORIES = 1_000_000;

    private final LocalEpsilon localEpsilon;
    private final int categories;
    private final ExponentialBernoulli coin;

    /**
     * The protocol for a number of categories.
     *
     * @param categories 2 … {@value #MAX_CATEGORIES}, identified by their index from 0
     * @param epsilon above 0, at most 100
     */
    public GeneralizedRandomizedResponse(int categories, Epsilon epsilon) {
        this(categories, LocalEpsilon.of(epsilon));
    }

    GeneralizedRandomizedResponse(int categories, LocalEpsilon localEpsilon) {
        if (categories < 2 || categories > MAX_CATEGORIES) {
            throw new IllegalArgumentException("2 to " + MAX_CATEGORIES + " categories, not " + categories);
        }
        this.localEpsilon = localEpsilon;
        this.categories = categories;
        coin = localEpsilon.coin();
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    @Override
    public Integer report(Integer category, RandomBits bits) {
        if (!isPossible(category)) {
            throw new IllegalArgumentException("a category must be one of the public ones");
        }
        while (true) {
            int candidate = (int) UniformInteger.below(categories, bits);
            // The true category gets a coin toss too, so that the draws and their number do not depend on the truth.
            boolean accepted = coin.sample(bits);
            if (accepted || candidate == category) {
                return candidate;
            }
        }
    }

    @Override
    public boolean isPossible(Integer category) {
        return category >= 0 && category < categories;
    }

    /** The probability that a report is true. */
    public double keepProbability() {
        return 1 / (1 + (categories - 1) * Math.exp(-localEpsilon.value()));
    }

    /** The probability of one category other than the true one. */
    public double otherProbability() {
        double weight = Math.exp(-localEpsilon.value());
        return weight / (1 + (categories - 1) * weight);
    }

    /**
     * An unbiased estimate of the share of devices in a category. It can be below 0 or above 1.
     *
     * @param matching reports of this category
     * @param reports all reports, at least 1
     */
    public double frequency(long matching, long reports) {
        return ((double) matching / reports - otherProbability()) / informativeness();
    }

    /**
     * The variance of {@link #frequency} over the randomness of the reports, for fixed categories of the devices.
     *
     * @param frequency the true share of devices in the category, 0 … 1
     * @param reports all reports, at least 1
     */
    public double frequencyVariance(double frequency, long reports) {
        double p = keepProbability();
        double q = otherProbability();
        double perReport = frequency * p * (1 - p) + (1 - frequency) * q * (1 - q);
        return perReport / (informativeness() * informativeness()) / reports;
    }

    /** {@link #keepProbability} minus {@link #otherProbability}, without loss of digits at a small epsilon. */
    double informativeness() {
        double x = localEpsilon.value();
        return -Math.expm1(-x) / (1 + (categories - 1) * Math.exp(-x));
    }
}
