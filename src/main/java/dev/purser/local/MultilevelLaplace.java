package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import java.util.List;

/**
 * {@link LocalLaplace} at the epsilon of a public level, which the report states.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private at the epsilon of its level. Condition: the level is
 * chosen independently of the value. The constructor therefore fixes it before there is a value. A scale that depends
 * on the value reveals the value in the tail, and no finite epsilon holds. Argument in {@code MultilevelLaplace.md}.
 * Source: Dwork et al. 2006, at each level.
 */
public final class MultilevelLaplace implements NumericRandomizer<LeveledNoise> {
    private final int level;
    private final LocalLaplace laplace;

    /**
     * The protocol for a device of one level.
     *
     * @param epsilons of the levels, each above 0 and at most 100
     * @param level 1 … the number of levels, chosen independently of the value
     * @param width of the public range, in grid steps; every {@link Position} must have the same width
     */
    public MultilevelLaplace(List<Epsilon> epsilons, int level, long width) {
        if (level < 1 || level > epsilons.size()) {
            throw new IllegalArgumentException("a level must be 1 to " + epsilons.size() + ", was " + level);
        }
        this.level = level;
        laplace = new LocalLaplace(epsilons.get(level - 1), width);
    }

    @Override
    public Epsilon epsilon() {
        return laplace.epsilon();
    }

    @Override
    public LeveledNoise report(Position value, RandomBits bits) {
        return new LeveledNoise(level, laplace.report(value, bits));
    }

    /** Whether the report is of this level. */
    @Override
    public boolean isPossible(LeveledNoise report) {
        return report.level() == level && laplace.isPossible(report.steps());
    }

    @Override
    public double contribution(LeveledNoise report) {
        return laplace.contribution(report.steps());
    }

    @Override
    public double variance(double v) {
        return laplace.variance(v);
    }

    @Override
    public int tallies() {
        return laplace.tallies();
    }

    @Override
    public void add(LeveledNoise report, long[] tally, int offset) {
        laplace.add(report.steps(), tally, offset);
    }

    @Override
    public double contributions(long[] tally, int offset, long reports) {
        return laplace.contributions(tally, offset, reports);
    }

    @Override
    public double largestVariance() {
        return laplace.largestVariance();
    }
}
