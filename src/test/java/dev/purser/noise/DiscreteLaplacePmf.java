package dev.purser.noise;

/** The discrete Laplace distribution written down directly, to hold the sampler and the quantiles against. */
public final class DiscreteLaplacePmf {
    private final double scale;
    private final double ratio;

    public DiscreteLaplacePmf(double scale) {
        this.scale = scale;
        this.ratio = Math.exp(-1 / scale);
    }

    public double probability(long x) {
        return -Math.expm1(-1 / scale) / (1 + ratio) * Math.exp(-Math.abs((double) x) / scale);
    }

    /** P(X &gt;= x). */
    public double atLeast(double x) {
        return x >= 1 ? Math.exp(-x / scale) / (1 + ratio) : 1 - Math.exp((x - 1) / scale) / (1 + ratio);
    }

    /** P(X &lt;= x). */
    public double atMost(double x) {
        return atLeast(-x);
    }
}
