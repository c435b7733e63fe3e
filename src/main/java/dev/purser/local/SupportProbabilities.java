package dev.purser.local;

import java.util.Arrays;

/**
 * How probable it is that a report supports a category. A report supports some of the categories: the device's own with
 * one probability, every other one with another. Shares follow from the counts of support (Wang et al. 2017: a pure
 * protocol). Any two devices are independent. So the count of a category is the sum of two binomials, whatever the
 * other devices have.
 *
 * @param own the probability that a report supports the device's own category
 * @param other the probability that it supports a given other one
 * @param difference {@code own - other}, without loss of digits at a small epsilon
 */
public record SupportProbabilities(double own, double other, double difference) {
    double[] frequencies(long[] supporters, long reports) {
        return Arrays.stream(supporters)
                .mapToDouble(count -> ((double) count / reports - other) / difference)
                .toArray();
    }

    double variance(double frequency, long reports) {
        double perReport = frequency * own * (1 - own) + (1 - frequency) * other * (1 - other);
        return perReport / (difference * difference) / reports;
    }
}
