package dev.purser.local;

import java.util.Arrays;

/**
 * The distributions of reports as the protocols state them, computed here and not taken from the code: each
 * probability is a sum of rationals times {@code e^-ε} over a common total, to a few units in the last place
 * of a double.
 */
final class ExactReports {
    static final int POINTS = 65_536;

    private ExactReports() {}

    /** Of categories 0 … k-1: the truth has weight 1, each other {@code e^-ε}. */
    static double[] categories(int k, double epsilon, int truth) {
        double[] weights = new double[k];
        Arrays.fill(weights, Math.exp(-epsilon));
        weights[truth] = 1;
        return normalized(weights);
    }

    /**
     * Of a minus and a plus, for a value at {@code above} of 0 … 1: its sign, rounded at random, then kept
     * or not.
     */
    static double[] signs(double epsilon, double above) {
        return mixture(categories(2, epsilon, 0), categories(2, epsilon, 1), above);
    }

    /** The nearest integer to {@code M(C - 1)/2C}. */
    static int band(double epsilon) {
        double half = Math.exp(epsilon / 2);
        double c = (half + 1) / (half - 1);
        return (int) Math.round(POINTS * (c - 1) / (2 * c));
    }

    /** Of points, for a value at {@code above} of 0 … 1. */
    static double[] points(double epsilon, double above) {
        double start = above * (POINTS - band(epsilon));
        double floor = Math.floor(start);
        double[] low = pointsFrom(epsilon, (int) floor);
        return start == floor ? low : mixture(low, pointsFrom(epsilon, (int) floor + 1), start - floor);
    }

    private static double[] pointsFrom(double epsilon, int start) {
        double[] weights = new double[POINTS];
        Arrays.fill(weights, Math.exp(-epsilon));
        Arrays.fill(weights, start, start + band(epsilon), 1);
        return normalized(weights);
    }

    /** What a point stands for, by solving for the start of its band. */
    static double value(double epsilon, int point) {
        double w = band(epsilon);
        double q = Math.exp(-epsilon);
        double z = w + (POINTS - w) * q;
        double start = (point * z - q * POINTS * (POINTS - 1.0) / 2) / ((1 - q) * w) - (w - 1) / 2;
        return 2 * start / (POINTS - w) - 1;
    }

    /**
     * Of levels and signs, minus and plus of level 1 first: the level at its own epsilon, the sign at that
     * of the level drawn.
     */
    static double[] leveled(double[] epsilons, int level, double above) {
        int k = epsilons.length;
        double[] levels = categories(k, epsilons[level - 1], level - 1);
        double[] reports = new double[2 * k];
        for (int sent = 0; sent < k; sent++) {
            double[] signs = signs(epsilons[sent], above);
            reports[2 * sent] = levels[sent] * signs[0];
            reports[2 * sent + 1] = levels[sent] * signs[1];
        }
        return reports;
    }

    /**
     * The largest log ratio of the probabilities of a report, over all reports and all pairs of these
     * distributions.
     */
    static double loss(double[]... distributions) {
        double loss = 0;
        for (int report = 0; report < distributions[0].length; report++) {
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            for (double[] distribution : distributions) {
                least = Math.min(least, distribution[report]);
                most = Math.max(most, distribution[report]);
            }
            loss = Math.max(loss, Math.log(most / least));
        }
        return loss;
    }

    static double[] mixture(double[] first, double[] second, double shareOfSecond) {
        double[] mixed = new double[first.length];
        Arrays.setAll(mixed, i -> (1 - shareOfSecond) * first[i] + shareOfSecond * second[i]);
        return mixed;
    }

    private static double[] normalized(double[] weights) {
        double total = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / total).toArray();
    }
}
