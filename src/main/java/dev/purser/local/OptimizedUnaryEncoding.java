package dev.purser.local;

import dev.purser.noise.LogisticBernoulli;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.BitSet;

/**
 * Reports one of k public categories as k independent bits: the bit of the true category is one with probability 1/2,
 * each other bit with {@code 1 / (e^ε + 1)}.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code OptimizedUnaryEncoding.md}. Source:
 * Wang et al. 2017, section 4.3.
 */
public final class OptimizedUnaryEncoding implements FrequencyRandomizer<CategoryBits> {
    public static final int MAX_CATEGORIES = 100_000;

    private final LocalEpsilon localEpsilon;
    private final Categories categories;
    private final LogisticBernoulli other;
    private final SupportProbabilities support;

    /**
     * The protocol for a number of categories.
     *
     * @param categories 2 … {@value #MAX_CATEGORIES}, identified by their index from 0
     * @param epsilon above 0, at most 100
     */
    public OptimizedUnaryEncoding(int categories, Epsilon epsilon) {
        this.categories = Categories.upTo(MAX_CATEGORIES, categories);
        localEpsilon = LocalEpsilon.of(epsilon);
        other = new LogisticBernoulli(localEpsilon.amount());
        double weight = Math.exp(-localEpsilon.value());
        // 1/2 - 1/(e^ε + 1) = tanh(ε/2)/2
        support = new SupportProbabilities(0.5, weight / (1 + weight), Math.tanh(localEpsilon.value() / 2) / 2);
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    @Override
    public CategoryBits report(Integer category, RandomBits bits) {
        int own = categories.checked(category);
        BitSet ones = new BitSet(categories.count());
        for (int each = 0; each < categories.count(); each++) {
            ones.set(each, other.sample(bits));
        }
        // The own bit was drawn like all other bits and is replaced, so that the draws and their number do not depend
        // on the truth.
        ones.set(own, bits.next(1) == 1);
        return new CategoryBits(ones);
    }

    @Override
    public boolean isPossible(CategoryBits report) {
        return report.ones().length() <= categories.count();
    }

    @Override
    public int categories() {
        return categories.count();
    }

    @Override
    public int reportBits() {
        return categories.count();
    }

    @Override
    public int tallies() {
        return categories.count();
    }

    /** The number of ones of each category. */
    @Override
    public void add(CategoryBits report, long[] tally, int offset) {
        report.ones().stream().forEach(each -> tally[offset + each] = Math.addExact(tally[offset + each], 1));
    }

    @Override
    public SupportProbabilities support() {
        return support;
    }
}
