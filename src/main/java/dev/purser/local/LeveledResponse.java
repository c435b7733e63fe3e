package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Reports a private level and a number of [-1, 1] as a level and a sign. The level is reported by
 * {@link GeneralizedRandomizedResponse}, at the epsilon of the device's level or at one epsilon for all levels. The
 * sign is reported by {@link Harmony} at the epsilon of the drawn level.
 *
 * <p>Guarantee: locally differentially private at {@link #epsilon}, the largest loss over all levels and values of two
 * devices, rounded up. With one epsilon for all levels, this loss is that epsilon plus the largest epsilon of the
 * signs. With the level's own epsilon, the loss is also far above the epsilon of any one level: the level is randomized
 * by an epsilon that depends on it, and level and sign compose. {@link Harmony} alone, at either loss, estimates a mean
 * better. Argument in {@code LeveledResponse.md}. Source: Hierarchical aggregation for numerical data under local
 * differential privacy, Sensors 23(3) 1115, 2023; its claim that each level has the level's own epsilon does not hold.
 */
public final class LeveledResponse implements LocalRandomizer<LeveledPosition, LeveledSign>, ReportSums<LeveledSign> {
    public static final int MAX_LEVELS = 100;

    private final LeveledLoss loss;
    private final Epsilon epsilon;
    private final List<GeneralizedRandomizedResponse> levels = new ArrayList<>();
    private final List<Harmony> signs = new ArrayList<>();

    /**
     * The protocol of the source, for a list of levels: a device reports its level at the level's own epsilon.
     *
     * @param epsilons of 2 … {@value #MAX_LEVELS} levels, each above 0 and at most 100, in descending order (ties
     *     allowed)
     */
    public LeveledResponse(List<Epsilon> epsilons) {
        this(epsilons, epsilons);
    }

    /**
     * The protocol with one epsilon for all levels.
     *
     * @param ofLevel the epsilon at which every device reports its level, above 0, at most 100
     * @param ofSigns of 2 … {@value #MAX_LEVELS} levels, each above 0 and at most 100, in descending order (ties
     *     allowed)
     */
    public LeveledResponse(Epsilon ofLevel, List<Epsilon> ofSigns) {
        this(Collections.nCopies(ofSigns.size(), ofLevel), ofSigns);
    }

    private LeveledResponse(List<Epsilon> ofLevels, List<Epsilon> ofSigns) {
        int count = ofSigns.size();
        if (count < 2 || count > MAX_LEVELS) {
            throw new IllegalArgumentException("2 to " + MAX_LEVELS + " levels, not " + count);
        }
        for (int level = 0; level < count; level++) {
            if (level > 0 && ofSigns.get(level).compareTo(ofSigns.get(level - 1)) > 0) {
                throw new IllegalArgumentException("no level's epsilon may be above that of the level before");
            }
            levels.add(new GeneralizedRandomizedResponse(count, ofLevels.get(level)));
            signs.add(new Harmony(ofSigns.get(level)));
        }
        loss = new LeveledLoss(ofLevels, ofSigns);
        epsilon = loss.roundedUp();
    }

    @Override
    public Epsilon epsilon() {
        return epsilon;
    }

    /** The value of {@link #epsilon} before it is rounded up. */
    public double loss() {
        return loss.value();
    }

    @Override
    public LeveledSign report(LeveledPosition value, RandomBits bits) {
        int sent = level(levels, value.level()).report(value.level() - 1, bits) + 1;
        return new LeveledSign(sent, level(signs, sent).report(value.position(), bits));
    }

    private static <T> T level(List<T> all, int level) {
        if (level < 1 || level > all.size()) {
            throw new IllegalArgumentException("a level must be 1 to " + all.size());
        }
        return all.get(level - 1);
    }

    @Override
    public boolean isPossible(LeveledSign report) {
        return report.level() >= 1 && report.level() <= levels.size();
    }

    /**
     * A number whose expectation is the device's v, for any drawn level. The mean of all contributions is an unbiased
     * estimate of the mean of v. Weights that depend on the reported level would bias it, and so would clamping each
     * level's sum.
     */
    public double contribution(LeveledSign report) {
        return level(signs, report.level()).contribution(report.sign());
    }

    /** The number of levels. */
    @Override
    public int tallies() {
        return signs.size();
    }

    /** The sum of the signs of each level. */
    @Override
    public void add(LeveledSign report, long[] tally, int offset) {
        level(signs, report.level()).add(report.sign(), tally, offset + report.level() - 1);
    }

    /**
     * The sum of the contributions of all reports, from their sums.
     *
     * @param tally the sums; the sums of this protocol begin at {@code offset}
     * @param reports how many reports were added
     */
    public double contributions(long[] tally, int offset, long reports) {
        double sum = 0;
        for (int level = 0; level < signs.size(); level++) {
            sum += signs.get(level).contributions(tally, offset + level, reports);
        }
        return sum;
    }

    /**
     * The variance of a contribution.
     *
     * @param level the device's level, from 1
     * @param v the device's value, -1 … 1
     */
    public double variance(int level, double v) {
        return expected(level, sent -> magnitude(sent) * magnitude(sent)) - v * v;
    }

    /** The largest {@link #variance} of any level and value. */
    public double largestVariance() {
        return IntStream.rangeClosed(1, levels.size())
                .mapToDouble(level -> variance(level, 0))
                .max()
                .orElseThrow();
    }

    /** The expectation of a function of the reported level, for a device of one level. */
    double expected(int level, IntToDoubleFunction ofSent) {
        GeneralizedRandomizedResponse response = level(levels, level);
        double mean = 0;
        for (int sent = 1; sent <= levels.size(); sent++) {
            double probability = sent == level ? response.keepProbability() : response.otherProbability();
            mean += probability * ofSent.applyAsDouble(sent);
        }
        return mean;
    }

    /** The magnitude of the contribution of a report of a level, from 1. */
    double magnitude(int level) {
        return level(signs, level).magnitude();
    }

    /**
     * Privacy level conversion: the probability of keeping the sign when a report of one level is converted to another
     * level, with the distribution of that level. Conversion is post-processing of reports and only adds variance.
     *
     * @param from the report's level, from 1
     * @param to at least {@code from}: a level with as much noise or more
     */
    public double conversionKeepProbability(int from, int to) {
        if (to < from) {
            throw new IllegalArgumentException("noise cannot be taken off: " + to + " is below " + from);
        }
        // (p_from + p_to - 1) / (2 p_from - 1) with p = e^ε/(e^ε + 1); 2p - 1 is the inverse of the
        // magnitude.
        return (1 + magnitude(from) / magnitude(to)) / 2;
    }
}
