package dev.purser.local;

import dev.purser.privacy.Epsilon;

/**
 * The server's half of private mini-batch gradient descent. Each device reports once, for one group. The mean gradient
 * of a full group, {@link SampledCoordinates#means}, gives the next parameters. All of it is post-processing of
 * reports.
 *
 * <p>A mean is estimated for every coordinate, scaled for the reports that leave the coordinate out. The penalty is a
 * function of public parameters, so the server adds its gradient, and no device clips or randomizes it. Source: Wang et
 * al. 2019, section V.
 *
 * @param stepSize γ; the step of round t is γ/√t
 * @param penalty λ of the penalty {@code λ|b|²/2}, whose gradient is {@code λb}; the intercept has none
 * @param bound of the public box: every parameter is kept in [-bound, bound]
 */
public record GradientDescent(double stepSize, double penalty, double bound) {
    private static final long LEAST_GROUP = 1_000;

    public GradientDescent {
        if (!(stepSize > 0 && penalty >= 0 && bound > 0) || !Double.isFinite(stepSize + penalty + bound)) {
            throw new IllegalArgumentException("a step size and a bound above 0, and a penalty of at least 0");
        }
    }

    /**
     * The groups that a number of reports fills.
     *
     * @param rounds full groups
     * @param unusedReports reports of the last group, which is not full and changes nothing
     */
    public record Groups(long rounds, long unusedReports) {
        /** The groups of {@code groupSize} reports each. */
        public static Groups of(long reports, long groupSize) {
            return new Groups(reports / groupSize, reports % groupSize);
        }
    }

    /**
     * How many devices a round needs, so that the noise of a coordinate's mean is small: {@code max(⌈2d ln d/ε²⌉,
     * 1000)}.
     *
     * @param dimensions d, the features and the intercept
     */
    public static long groupSize(int dimensions, Epsilon epsilon) {
        double value = LocalEpsilon.of(epsilon).value();
        return Math.max((long) Math.ceil(2 * dimensions * Math.log(dimensions) / (value * value)), LEAST_GROUP);
    }

    /**
     * The parameters after a round.
     *
     * @param parameters before the round; the last one is the intercept
     * @param round t, from 1
     * @param meanGradient the estimated mean of the group's gradients, one number for each parameter
     */
    public double[] next(double[] parameters, long round, double[] meanGradient) {
        if (round < 1 || meanGradient.length != parameters.length) {
            throw new IllegalArgumentException("rounds from 1, and as many means as parameters");
        }
        double step = stepSize / Math.sqrt(round);
        double[] next = new double[parameters.length];
        for (int j = 0; j < next.length; j++) {
            double ofPenalty = j < next.length - 1 ? penalty * parameters[j] : 0;
            next[j] = Math.clamp(parameters[j] - step * (meanGradient[j] + ofPenalty), -bound, bound);
        }
        return next;
    }
}
