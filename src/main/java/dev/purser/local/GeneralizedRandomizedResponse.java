package dev.purser.local;

import dev.purser.noise.ExponentialBernoulli;
import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;

/**
 * Reports one of k public categories: the true category with probability {@code e^ε / (e^ε + k - 1)}, each other
 * category with {@code 1 / (e^ε + k - 1)}.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code GeneralizedRandomizedResponse.md}.
 * Source: Warner 1965 for two categories; Kairouz, Bonawitz and Ramage 2016; Wang et al. 2017.
 */
public final class GeneralizedRandomizedResponse implements FrequencyRandomizer<Integer> {
    public static final int MAX_CATEGORIES = 1_000_000;

    private final LocalEpsilon localEpsilon;
    private final Categories categories;
    private final ExponentialBernoulli coin;
    private final SupportProbabilities support;

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
        this.categories = Categories.upTo(MAX_CATEGORIES, categories);
        this.localEpsilon = localEpsilon;
        coin = localEpsilon.coin();
        support = new SupportProbabilities(keepProbability(), otherProbability(), informativeness());
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    @Override
    public Integer report(Integer category, RandomBits bits) {
        int own = categories.checked(category);
        while (true) {
            int candidate = (int) UniformInteger.below(categories.count(), bits);
            // The true category gets a coin toss too, so that the draws and their number do not depend on the truth.
            boolean accepted = coin.sample(bits);
            if (accepted || candidate == own) {
                return candidate;
            }
        }
    }

    @Override
    public boolean isPossible(Integer category) {
        return categories.contains(category);
    }

    /** The probability that a report is true. */
    public double keepProbability() {
        return 1 / (1 + (categories.count() - 1) * Math.exp(-localEpsilon.value()));
    }

    /** The probability of one category other than the true one. */
    public double otherProbability() {
        double weight = Math.exp(-localEpsilon.value());
        return weight / (1 + (categories.count() - 1) * weight);
    }

    @Override
    public int categories() {
        return categories.count();
    }

    @Override
    public int reportBits() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(categories.count() - 1);
    }

    @Override
    public int tallies() {
        return categories.count();
    }

    /** The number of reports of each category. */
    @Override
    public void add(Integer report, long[] tally, int offset) {
        int sum = offset + report;
        tally[sum] = Math.addExact(tally[sum], 1);
    }

    @Override
    public SupportProbabilities support() {
        return support;
    }

    /** {@link #keepProbability} minus {@link #otherProbability}, without loss of digits at a small epsilon. */
    double informativeness() {
        double x = localEpsilon.value();
        return -Math.expm1(-x) / (1 + (categories.count() - 1) * Math.exp(-x));
    }
}
