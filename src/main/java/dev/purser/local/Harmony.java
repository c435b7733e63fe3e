package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;

/**
 * Reports a number of [-1, 1] as one sign. The value v is rounded at random to a sign with expectation v. The sign is
 * kept with probability {@code e^ε / (e^ε + 1)}.
 *
 * <p>Guarantee: exactly epsilon-locally differentially private. Argument in {@code Harmony.md}. Several numbers:
 * {@link SampledCoordinates#harmony}. Source: Duchi, Jordan and Wainwright 2013; Nguyên et al. 2016 (Harmony).
 */
public final class Harmony implements NumericRandomizer<Sign> {
    private final LocalEpsilon localEpsilon;
    private final GeneralizedRandomizedResponse response;

    /**
     * The protocol for an epsilon.
     *
     * @param epsilon above 0, at most 100
     */
    public Harmony(Epsilon epsilon) {
        this(LocalEpsilon.of(epsilon));
    }

    Harmony(LocalEpsilon localEpsilon) {
        this.localEpsilon = localEpsilon;
        response = new GeneralizedRandomizedResponse(2, localEpsilon);
    }

    @Override
    public Epsilon epsilon() {
        return localEpsilon.roundedUp();
    }

    @Override
    public Sign report(Position value, RandomBits bits) {
        int rounded = (int) value.stochasticallyRounded(1, bits);
        return response.report(rounded, bits) == 1 ? Sign.PLUS : Sign.MINUS;
    }

    @Override
    public boolean isPossible(Sign report) {
        return true;
    }

    /** The magnitude of a sign's contribution: {@code (e^ε + 1) / (e^ε - 1)}. */
    public double magnitude() {
        return 1 / Math.tanh(localEpsilon.value() / 2);
    }

    @Override
    public double contribution(Sign report) {
        return report.factor() * magnitude();
    }

    @Override
    public int tallies() {
        return 1;
    }

    /** The sum of the signs. */
    @Override
    public void add(Sign report, long[] tally, int offset) {
        tally[offset] = Math.addExact(tally[offset], report.factor());
    }

    @Override
    public double contributions(long[] tally, int offset, long reports) {
        return tally[offset] * magnitude();
    }

    @Override
    public double variance(double v) {
        return magnitude() * magnitude() - v * v;
    }

    @Override
    public double largestVariance() {
        return variance(0);
    }
}
