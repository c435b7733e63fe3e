package dev.purser.noise;

/** The discrete Laplace distribution written down directly, to compare the sampler and the quantiles with. */
public final class DiscreteLaplacePmf implements NoisePmf {
    private final double scale;
    private final double ratio;

    public DiscreteLaplacePmf(double scale) {
        this.scale = scale;
        this.ratio = Math.exp(-1 / scale);
    }

    @Override
    public double probability(long x) {
        return -Math.expm1(-1 / scale) / (1 + ratio) * Math.exp(-Math.abs((double) x) / scale);
    }

    @Override
    public double atLeast(double x) {
        return x >= 1 ? Math.exp(-x / scale) / (1 + ratio) : 1 - Math.exp((x - 1) / scale) / (1 + ratio);
    }

    @Override
    public double atMost(double x) {
        return atLeast(-x);
    }
}
