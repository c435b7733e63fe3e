package dev.purser.noise;

/** The geometric distribution from zero up, {@code P(X = x) ∝ exp(-x / scale)}, written down directly. */
public final class OneSidedGeometricPmf implements NoisePmf {
    private final double scale;

    public OneSidedGeometricPmf(double scale) {
        this.scale = scale;
    }

    @Override
    public double probability(long x) {
        return x < 0 ? 0 : -Math.expm1(-1 / scale) * Math.exp(-x / scale);
    }

    @Override
    public double atLeast(double x) {
        return x <= 0 ? 1 : Math.exp(-x / scale);
    }

    @Override
    public double atMost(double x) {
        return x < 0 ? 0 : -Math.expm1(-(x + 1) / scale);
    }
}
