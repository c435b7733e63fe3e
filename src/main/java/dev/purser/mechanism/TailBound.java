package dev.purser.mechanism;

/**
 * Bounds on weighted sums of independent noises, none of them an approximation. For a sum X with E[e^(sX)] known, P(|X|
 * ≥ t) ≤ 2·e^(−st)·E[e^(sX)] for every s above zero. The arguments are in {@code NoisySynopsis.md}.
 */
final class TailBound {
    private static final int STEPS = 60;

    private TailBound() {}

    /**
     * For discrete Gaussians, with {@code variance} the sum of the squared coefficients times the parameters σ²: they
     * are sub-Gaussian (Canonne et al. 2020, section 2.2).
     */
    static double gaussian(double variance, double beta) {
        return Math.sqrt(2 * variance * Math.log(2 / beta));
    }

    /**
     * For discrete Laplace noises with scales b_i and coefficients c_i. With u = s·largest, Σ −ln(1 − (c_i·b_i·s)²) ≤
     * −k·ln(1 − u²), where k = variance/(2·largest²). The best u has t = 2k·largest·u/(1 − u²).
     *
     * @param variance Σ 2·(c_i·b_i)²
     * @param largest an upper bound on every |c_i|·b_i
     */
    static double laplace(double variance, double largest, double beta) {
        double k = variance / (2 * largest * largest);
        double target = Math.log(2 / beta);
        double low = 0;
        double high = 1;
        for (int step = 0; step < STEPS; step++) {
            double u = (low + high) / 2;
            if (k * (2 * u * u / (1 - u * u) + Math.log1p(-u * u)) < target) {
                low = u;
            } else {
                high = u;
            }
        }
        return 2 * k * largest * high / (1 - high * high);
    }

    /**
     * For a discrete Laplace noise with coefficient c and others that are independent of it: P(|X| ≥ t) ≤ 2/(1 + p) ·
     * e^(−t/(c·b)) · E[e^(R/(c·b))], where R is the sum of the others and p = e^(−1/b).
     *
     * @param main |c|·b of this noise
     * @param scale b of this noise, in its own steps
     * @param variance Σ 2·(c_i·b_i)² of the others
     * @param largest an upper bound on every |c_i|·b_i of the others
     */
    static double mostlyOneLaplace(double main, double scale, double variance, double largest, double beta) {
        if (largest >= main) {
            return Double.POSITIVE_INFINITY;
        }
        double u = largest / main;
        // If all other noises are Gaussian, u is 0, and the limit for small u holds.
        double perSquare = u * u == 0 ? 1 : -Math.log1p(-u * u) / (u * u);
        double logOthers = variance / (2 * main * main) * perSquare;
        return main * (Math.log(2 / ((1 + Math.exp(-1 / scale)) * beta)) + logOthers);
    }
}
