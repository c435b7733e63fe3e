package dev.purser.noise;

import org.apache.commons.math3.special.Erf;

/** The discrete Gaussian distribution written down directly, to compare the sampler and the quantiles with. */
public final class DiscreteGaussianPmf implements NoisePmf {
    private static final double SUMMED = 2000;

    private final double sigma;
    private final double total;

    public DiscreteGaussianPmf(double variance) {
        sigma = Math.sqrt(variance);
        total = sigma > SUMMED ? sigma * Math.sqrt(2 * Math.PI) : 1 + 2 * weightsFrom(1);
    }

    @Override
    public double probability(long x) {
        return Math.exp(-0.5 * x / sigma * x / sigma) / total;
    }

    @Override
    public double atLeast(double x) {
        if (x < 1) {
            return 1 - atLeast(1 - x);
        }
        // Above SUMMED: the integral from half a step below, by Euler and Maclaurin within 1/σ² of itself.
        return sigma > SUMMED
                ? 0.5 * Erf.erfc((x - 0.5) / sigma / Math.sqrt(2))
                : weightsFrom((long) Math.ceil(x)) / total;
    }

    @Override
    public double atMost(double x) {
        return 1 - atLeast(x + 1);
    }

    private double weightsFrom(long first) {
        double sum = 0;
        for (long x = Math.max(first, (long) (40 * sigma) + 1); x >= first; x--) {
            sum += Math.exp(-0.5 * x / sigma * x / sigma);
        }
        return sum;
    }
}
