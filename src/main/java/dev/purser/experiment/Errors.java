package dev.purser.experiment;

import java.math.BigDecimal;
import java.math.MathContext;

/** The errors of repeated estimates: their means, and the standard errors of these means. */
final class Errors {
    private final double[] sums = new double[4];
    private int count;

    /** Adds an estimate's mean absolute and mean squared error. */
    void add(double absolute, double squared) {
        sums[0] += absolute;
        sums[1] += absolute * absolute;
        sums[2] += squared;
        sums[3] += squared * squared;
        count++;
    }

    BigDecimal absolute() {
        return stated(sums[0] / count);
    }

    BigDecimal absoluteStandardError() {
        return standardError(sums[0], sums[1]);
    }

    BigDecimal squared() {
        return stated(sums[2] / count);
    }

    BigDecimal squaredStandardError() {
        return standardError(sums[2], sums[3]);
    }

    private BigDecimal standardError(double sum, double squares) {
        double mean = sum / count;
        return stated(Math.sqrt(Math.max(0, squares / count - mean * mean) / (count - 1)));
    }

    private static BigDecimal stated(double value) {
        return new BigDecimal(value).round(new MathContext(6));
    }
}
