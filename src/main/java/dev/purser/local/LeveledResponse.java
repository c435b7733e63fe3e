package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports a private level and a number of [-1, 1] as a level and a sign. The level t is reported by
 * {@link GeneralizedRandomizedResponse} at the epsilon of t. The sign is reported by {@link Harmony} at the epsilon of
 * the drawn level.
 *
 * <p>Guarantee: locally differentially private at {@link #epsilon}, the largest loss over all levels and values of two
 * devices, rounded up. This is far above the epsilon of any one level: the level is randomized by an epsilon that
 * depends on it, and level and sign compose. {@link Harmony} alone, at that epsilon, estimates a mean better. Argument
 * in {@code LeveledResponse.md}. Source: Hierarchical aggregation for numerical data under local differential privacy,
 * Sensors 23(3) 1115, 2023; its claim of the single epsilons does not hold.
 */
public final class LeveledResponse implements LocalRandomizer<LeveledPosition, LeveledSign> {
    public static final int MAX_LEVELS = 100;

    private final LeveledLoss loss;
    private final Epsilon epsilon;
    private final List<GeneralizedRandomizedResponse> levels = new ArrayList<>();
    private final List<Harmony> signs = new ArrayList<>();

    /**
     * The protocol for a list of levels.
     *
     * @param epsilons of 2 … {@value #MAX_LEVELS} levels, each above 0 and at most 100, in descending order (ties
     *     allowed)
     */
    public LeveledResponse(List<Epsilon> epsilons) {
        if (epsilons.size() < 2 || epsilons.size() > MAX_LEVELS) {
            throw new IllegalArgumentException("2 to " + MAX_LEVELS + " levels, not " + epsilons.size());
        }
        for (int level = 0; level < epsilons.size(); level++) {
            if (level > 0 && epsilons.get(level).compareTo(epsilons.get(level - 1)) > 0) {
                throw new IllegalArgumentException("no level's epsilon may be above that of the level before");
            }
            levels.add(new GeneralizedRandomizedResponse(epsilons.size(), epsilons.get(level)));
            signs.add(new Harmony(epsilons.get(level)));
        }
        loss = new LeveledLoss(epsilons);
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

    /**
     * The variance of a contribution.
     *
     * @param level the device's level, from 1
     * @param v the device's value, -1 … 1
     */
    public double variance(int level, double v) {
        GeneralizedRandomizedResponse response = level(levels, level);
        double meanSquare = 0;
        for (int sent = 1; sent <= signs.size(); sent++) {
            double probability = sent == level ? response.keepProbability() : response.otherProbability();
            meanSquare += probability * Math.pow(level(signs, sent).magnitude(), 2);
        }
        return meanSquare - v * v;
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
        return (1 + level(signs, from).magnitude() / level(signs, to).magnitude()) / 2;
    }
}
