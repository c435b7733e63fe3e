package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.noise.UniformInteger;
import dev.purser.privacy.Epsilon;

/**
 * Reports one of k public categories as a random row of a Hadamard matrix and one sign: the category's entry in that
 * row, by {@link Harmony}.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code HadamardResponse.md}. Source:
 * Acharya, Sun and Zhang 2019; Bassily and Smith 2015 (one bit).
 */
public final class HadamardResponse implements FrequencyRandomizer<HadamardSign> {
    public static final int MAX_CATEGORIES = 100_000;

    private final Categories categories;
    private final int rows;
    private final Harmony entry;
    private final SupportProbabilities support;

    /**
     * The protocol for a number of categories.
     *
     * @param categories 2 … {@value #MAX_CATEGORIES}, identified by their index from 0
     * @param epsilon above 0, at most 100
     */
    public HadamardResponse(int categories, Epsilon epsilon) {
        this.categories = Categories.upTo(MAX_CATEGORIES, categories);
        rows = 2 * Integer.highestOneBit(categories);
        entry = new Harmony(epsilon);
        double informativeness = 1 / entry.magnitude();
        support = new SupportProbabilities((1 + informativeness) / 2, 0.5, informativeness / 2);
    }

    @Override
    public Epsilon epsilon() {
        return entry.epsilon();
    }

    @Override
    public HadamardSign report(Integer category, RandomBits bits) {
        int column = column(categories.checked(category));
        int row = (int) UniformInteger.below(rows, bits);
        // The entry is 1 where row and column have an even number of binary ones in common, else -1.
        Position exact = new Position(1 - Integer.bitCount(row & column) % 2, 1);
        return new HadamardSign(row, entry.report(exact, bits));
    }

    /** Column 0 has no entry of -1, so it belongs to no category. */
    private static int column(int category) {
        return category + 1;
    }

    @Override
    public boolean isPossible(HadamardSign report) {
        return report.row() >= 0 && report.row() < rows;
    }

    @Override
    public int categories() {
        return categories.count();
    }

    @Override
    public int reportBits() {
        return Integer.numberOfTrailingZeros(rows) + 1;
    }

    /** K, the number of rows: the least power of two above the number of categories. */
    @Override
    public int tallies() {
        return rows;
    }

    /** The sum of the signs of each row. */
    @Override
    public void add(HadamardSign report, long[] tally, int offset) {
        int sum = offset + report.row();
        tally[sum] = Math.addExact(tally[sum], report.sign().factor());
    }

    @Override
    public SupportProbabilities support() {
        return support;
    }

    /** {@inheritDoc} A report supports a category whose entry in its row is its sign. */
    @Override
    public long[] supporters(long[] tally, long reports) {
        long[] sums = tally.clone();
        transform(sums);
        long[] supporters = new long[categories.count()];
        for (int category = 0; category < supporters.length; category++) {
            // The sum is the number of reports that support the category less the number of reports that do not.
            supporters[category] = (reports + sums[column(category)]) / 2;
        }
        return supporters;
    }

    /** Multiplies with the Hadamard matrix, in K log K additions. No sum is above the number of reports. */
    private static void transform(long[] sums) {
        for (int half = 1; half < sums.length; half *= 2) {
            for (int i = 0; i < sums.length; i++) {
                if ((i & half) == 0) {
                    long first = sums[i];
                    long second = sums[i + half];
                    sums[i] = first + second;
                    sums[i + half] = first - second;
                }
            }
        }
    }
}
