package dev.purser.local;

import java.util.Arrays;
import java.util.List;

/**
 * A model whose gradients devices report. It has a parameter for each feature and then the intercept. Features are
 * numbers of [-1, 1]. A device computes the gradient of its own loss, clips each coordinate to [-1, 1] and reports it
 * with {@link SampledCoordinates}. The clipped gradient is private. Source: Nguyên et al. 2016; Wang et al. 2019,
 * section V.
 */
public enum GradientModel {
    /** The loss {@code (x·b - y)²} of a target y of [-1, 1], with the gradient {@code 2x(x·b - y)}. */
    LINEAR(2) {
        @Override
        double mean(double product) {
            return product;
        }
    },
    /** The log loss of a target y that is 0 or 1, with the gradient {@code x(1/(1 + e^(-x·b)) - y)}. */
    LOGISTIC(1) {
        @Override
        double mean(double product) {
            return 1 / (1 + Math.exp(-product));
        }
    };

    /** The number of grid steps from 0 to 1. A gradient is rounded to the nearest step. */
    public static final long STEPS = 1L << 20;

    private final double factor;

    GradientModel(double factor) {
        this.factor = factor;
    }

    abstract double mean(double product);

    /**
     * What the model predicts: the target, or the probability that it is 1.
     *
     * @param parameters one more than {@code features}
     */
    public double prediction(double[] features, double[] parameters) {
        if (parameters.length != features.length + 1) {
            throw new IllegalArgumentException("as many parameters as features, and the intercept");
        }
        double product = parameters[features.length];
        for (int j = 0; j < features.length; j++) {
            product += parameters[j] * features[j];
        }
        return mean(product);
    }

    /** The gradient of a device's loss, each coordinate clipped to [-1, 1]. */
    public double[] gradient(double[] features, double target, double[] parameters) {
        double slope = factor * (prediction(features, parameters) - target);
        double[] gradient = new double[parameters.length];
        for (int j = 0; j < parameters.length; j++) {
            gradient[j] = Math.clamp(slope * (j < features.length ? features[j] : 1), -1.0, 1.0);
        }
        return gradient;
    }

    /** A clipped gradient on the grid, ready to be reported. */
    public static List<Position> positions(double[] gradient) {
        return Arrays.stream(gradient)
                .mapToObj(each -> Position.clamped((long) Math.rint(each * STEPS), -STEPS, STEPS))
                .toList();
    }
}
