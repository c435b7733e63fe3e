package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;

/**
 * Reports one of k public categories as a random hash function onto g values and the hashed category, by
 * {@link GeneralizedRandomizedResponse} over the g values. g is near {@code e^ε + 1}, where the variance is least.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code OptimizedLocalHashing.md}. Source:
 * Wang et al. 2017, section 4.4; Carter and Wegman 1979 (the hash functions).
 */
public final class OptimizedLocalHashing implements FrequencyRandomizer<HashedCategory> {
    /** The number is limited because every report is compared with every category. */
    public static final int MAX_CATEGORIES = 16_384;

    /** Above it a report takes more than e^8/2, or 1,490, tries on average. */
    public static final Epsilon MAX_EPSILON = new Epsilon(8 * Epsilon.NANOS_PER_UNIT);

    /** A prime, 2^31 - 1. All products below it fit into 53 bits, for devices that compute in doubles. */
    public static final long PRIME = Integer.MAX_VALUE;

    private static final int SEED_BITS = 62;

    private final LocalEpsilon localEpsilon;
    private final Categories categories;
    private final int values;
    private final GeneralizedRandomizedResponse response;
    private final SupportProbabilities support;

    /**
     * The protocol for a number of categories.
     *
     * @param categories 2 … {@value #MAX_CATEGORIES}, identified by their index from 0
     * @param epsilon above 0, at most {@link #MAX_EPSILON}
     */
    public OptimizedLocalHashing(int categories, Epsilon epsilon) {
        if (epsilon.compareTo(MAX_EPSILON) > 0) {
            throw new IllegalArgumentException("hashes are drawn with an epsilon of at most " + MAX_EPSILON);
        }
        this.categories = Categories.upTo(MAX_CATEGORIES, categories);
        localEpsilon = LocalEpsilon.of(epsilon);
        // StrictMath, so that devices and collectors agree on this public constant. g affects the variance, not the
        // privacy.
        values = Math.toIntExact(Math.round(StrictMath.exp(localEpsilon.value()))) + 1;
        response = new GeneralizedRandomizedResponse(values, localEpsilon);
        double collision = collision();
        support = new SupportProbabilities(
                response.keepProbability(),
                response.otherProbability() + response.informativeness() * collision,
                response.informativeness() * (1 - collision));
    }

    /** The probability that two categories have the same hash: of g values, {@code PRIME mod g} have one more image. */
    private double collision() {
        double longer = PRIME % values;
        return (1 + longer * (values - longer) / ((double) PRIME * PRIME)) / values;
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    @Override
    public HashedCategory report(Integer category, RandomBits bits) {
        int own = categories.checked(category);
        long multiplier = UniformInteger.below(PRIME, bits);
        long shift = UniformInteger.below(PRIME, bits);
        int hashed = (int) ((multiplier * own + shift) % PRIME * values / PRIME);
        return new HashedCategory((int) multiplier, (int) shift, response.report(hashed, bits));
    }

    @Override
    public boolean isPossible(HashedCategory report) {
        return report.multiplier() >= 0
                && report.multiplier() < PRIME
                && report.shift() >= 0
                && report.shift() < PRIME
                && response.isPossible(report.value());
    }

    @Override
    public int categories() {
        return categories.count();
    }

    /** g, the number of hashed values. */
    public int values() {
        return values;
    }

    @Override
    public int reportBits() {
        return SEED_BITS + response.reportBits();
    }

    @Override
    public int tallies() {
        return categories.count();
    }

    /** The number of reports whose value is the category's hash, for each category. */
    @Override
    public void add(HashedCategory report, long[] tally, int offset) {
        // floor(image·g/PRIME) is the value iff the image is in [from, to).
        long from = Math.ceilDiv(report.value() * PRIME, values);
        long to = Math.ceilDiv((report.value() + 1) * PRIME, values);
        long image = report.shift();
        for (int sum = offset; sum < offset + categories.count(); sum++) {
            if (image >= from && image < to) {
                tally[sum] = Math.addExact(tally[sum], 1);
            }
            // multiplier·category + shift for the next category, modulo PRIME
            image += report.multiplier();
            image -= image >= PRIME ? PRIME : 0;
        }
    }

    @Override
    public SupportProbabilities support() {
        return support;
    }
}
