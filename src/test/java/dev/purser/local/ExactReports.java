package dev.purser.local;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The distributions of reports as the protocols state them. They are computed here without the code under test. Each
 * probability is a sum of rationals times {@code e^-ε} over a common total, to a few units in the last place of a
 * double.
 */
final class ExactReports {
    static final int POINTS = 65_536;

    private ExactReports() {}

    /** The distribution of categories 0 … k-1: the truth has weight 1, each other category {@code e^-ε}. */
    static double[] categories(int k, double epsilon, int truth) {
        double[] weights = new double[k];
        Arrays.fill(weights, Math.exp(-epsilon));
        weights[truth] = 1;
        return normalized(weights);
    }

    /**
     * The distribution of a minus and a plus, for a value at {@code above} of 0 … 1: its sign, rounded at random, then
     * kept or not.
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

    /** The distribution of points, for a value at {@code above} of 0 … 1. */
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

    /** The value that a point stands for, by solving for the start of its band. */
    static double value(double epsilon, int point) {
        double w = band(epsilon);
        double q = Math.exp(-epsilon);
        double z = w + (POINTS - w) * q;
        double start = (point * z - q * POINTS * (POINTS - 1.0) / 2) / ((1 - q) * w) - (w - 1) / 2;
        return 2 * start / (POINTS - w) - 1;
    }

    /** The distribution of k bits, read as a number whose lowest binary digit is the bit of category 0. */
    static double[] unary(int k, double epsilon, int truth) {
        double other = 1 / (Math.exp(epsilon) + 1);
        double[] probabilities = new double[1 << k];
        for (int report = 0; report < probabilities.length; report++) {
            probabilities[report] = 1;
            for (int category = 0; category < k; category++) {
                double one = category == truth ? 0.5 : other;
                probabilities[report] *= (report >> category & 1) == 1 ? one : 1 - one;
            }
        }
        return probabilities;
    }

    /** The hash of a category: the place of (a·x + b) mod P among g equal parts of 0 … P. */
    static int hash(HashedCategory report, int category, int g) {
        BigInteger prime = BigInteger.TWO.pow(31).subtract(BigInteger.ONE);
        return BigInteger.valueOf(report.multiplier())
                .multiply(BigInteger.valueOf(category))
                .add(BigInteger.valueOf(report.shift()))
                .mod(prime)
                .multiply(BigInteger.valueOf(g))
                .divide(prime)
                .intValueExact();
    }

    /** The Hadamard matrix of 2^order rows, each of two halves by Sylvester's rule: H = (H' H'; H' -H'). */
    static int[][] hadamard(int order) {
        if (order == 0) {
            return new int[][] {{1}};
        }
        int[][] half = hadamard(order - 1);
        int n = half.length;
        int[][] whole = new int[2 * n][2 * n];
        for (int row = 0; row < 2 * n; row++) {
            for (int column = 0; column < 2 * n; column++) {
                whole[row][column] = half[row % n][column % n] * (row >= n && column >= n ? -1 : 1);
            }
        }
        return whole;
    }

    /** The distribution of rows and signs, minus and plus of row 0 first. Category 0 has the column after the first. */
    static double[] hadamard(int order, double epsilon, int truth) {
        double[] probabilities = new double[2 << order];
        int[][] entries = hadamard(order);
        for (int row = 0; row < entries.length; row++) {
            double[] signs = signs(epsilon, entries[row][truth + 1] == 1 ? 1 : 0);
            probabilities[2 * row] = signs[0] / entries.length;
            probabilities[2 * row + 1] = signs[1] / entries.length;
        }
        return probabilities;
    }

    /**
     * The distribution of levels and signs, minus and plus of level 1 first: the level has its own epsilon, the sign
     * has the epsilon of the level drawn.
     */
    static double[] leveled(double[] epsilons, int level, double above) {
        return leveled(epsilons[level - 1], epsilons, level, above);
    }

    /** The same distribution with the level at the epsilon {@code ofLevel}. */
    static double[] leveled(double ofLevel, double[] epsilons, int level, double above) {
        int k = epsilons.length;
        double[] levels = categories(k, ofLevel, level - 1);
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
