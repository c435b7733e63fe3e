package dev.purser.synopsis;

import dev.purser.synopsis.Estimates.Estimate;

/**
 * Means, variances and correlations from estimated sums, with intervals that hold whenever all the sums are within
 * their bounds. Each interval is the value of a formula over intervals, clipped to what is possible. The argument is in
 * {@code Answers.md}.
 */
final class Moments {
    private Moments() {}

    /** An interval of numbers. */
    record Between(double low, double high) {
        static Between of(Estimate estimate) {
            return new Between(estimate.low(), estimate.high());
        }

        Between times(Between other) {
            double a = low * other.low;
            double b = low * other.high;
            double c = high * other.low;
            double d = high * other.high;
            return new Between(Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
        }

        Between minus(Between other) {
            return new Between(low - other.high, high - other.low);
        }

        Between squared() {
            double most = Math.max(low * low, high * high);
            return new Between(low <= 0 && high >= 0 ? 0 : Math.min(low * low, high * high), most);
        }

        /** @param divisor above zero */
        Between dividedBy(Between divisor) {
            return new Between(
                    low / (low < 0 ? divisor.low : divisor.high), high / (high < 0 ? divisor.high : divisor.low));
        }

        Between within(double least, double greatest) {
            return new Between(Math.min(Math.max(low, least), greatest), Math.max(Math.min(high, greatest), least));
        }
    }

    /** Whether the number of rows can be a divisor. A mean of less than one row can be anything. */
    private static boolean isKnown(Estimate rows) {
        return rows.low() >= 1;
    }

    private static double rows(Estimate rows) {
        return Math.max(1, rows.value());
    }

    /**
     * A mean.
     *
     * @param sum the sum of the distances from the middle
     * @param reach the largest distance of a value from the middle
     */
    static FreeAnswer mean(Estimate rows, Estimate sum, double middle, double reach) {
        double value = middle + clipped(sum.value() / rows(rows), -reach, reach);
        Between mean = isKnown(rows)
                ? Between.of(sum).dividedBy(Between.of(rows)).within(-reach, reach)
                : new Between(-reach, reach);
        return answer(value, new Between(middle + mean.low(), middle + mean.high()));
    }

    /**
     * A variance: the mean square less the square of the mean.
     *
     * @param squares the sum of the squared distances from the middle
     */
    static FreeAnswer variance(Estimate rows, Estimate sum, Estimate squares, double reach) {
        double mean = clipped(sum.value() / rows(rows), -reach, reach);
        double value = clipped(squares.value() / rows(rows) - mean * mean, 0, reach * reach);
        return answer(value, variance(rows, Between.of(sum), Between.of(squares), reach));
    }

    private static Between variance(Estimate rows, Between sum, Between squares, double reach) {
        if (!isKnown(rows)) {
            return new Between(0, reach * reach);
        }
        Between mean = sum.dividedBy(Between.of(rows)).within(-reach, reach);
        return squares.dividedBy(Between.of(rows))
                .within(0, reach * reach)
                .minus(mean.squared())
                .within(0, reach * reach);
    }

    /** The estimated sums of one of two columns. */
    record Sums(Estimate sum, Estimate squares, double reach) {}

    /**
     * A correlation: the covariance divided by the root of the product of the variances.
     *
     * @param products the sum of the products of both columns' distances from their middles
     */
    static FreeAnswer correlation(Estimate rows, Sums one, Sums other, Estimate products) {
        double n = rows(rows);
        double covariance =
                products.value() / n - one.sum().value() / n * other.sum().value() / n;
        double variances = variance(n, one) * variance(n, other);
        double value = variances > 0 ? clipped(covariance / Math.sqrt(variances), -1, 1) : 0;
        return answer(value, correlationBetween(rows, one, other, products));
    }

    private static double variance(double rows, Sums of) {
        return Math.max(0, of.squares().value() / rows - Math.pow(of.sum().value() / rows, 2));
    }

    private static Between correlationBetween(Estimate rows, Sums one, Sums other, Estimate products) {
        Between anything = new Between(-1, 1);
        if (!isKnown(rows)) {
            return anything;
        }
        Between n = Between.of(rows);
        Between first = variance(rows, Between.of(one.sum()), Between.of(one.squares()), one.reach());
        Between second = variance(rows, Between.of(other.sum()), Between.of(other.squares()), other.reach());
        if (first.low() <= 0 || second.low() <= 0) {
            return anything;
        }
        Between means = Between.of(one.sum())
                .dividedBy(n)
                .within(-one.reach(), one.reach())
                .times(Between.of(other.sum()).dividedBy(n).within(-other.reach(), other.reach()));
        Between covariance = Between.of(products).dividedBy(n).minus(means);
        Between deviations =
                new Between(Math.sqrt(first.low() * second.low()), Math.sqrt(first.high() * second.high()));
        return covariance.dividedBy(deviations).within(-1, 1);
    }

    private static double clipped(double value, double least, double greatest) {
        return Math.min(Math.max(value, least), greatest);
    }

    private static FreeAnswer answer(double value, Between between) {
        return FreeAnswer.ofNumber(value, Math.min(value, between.low()), Math.max(value, between.high()));
    }
}
