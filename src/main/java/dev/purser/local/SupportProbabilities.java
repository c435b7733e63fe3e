package dev.purser.local;

import java.util.Arrays;

/**
 * The probabilities that a report supports a category. A report supports some of the categories: the device's own
 * category with the probability {@code own}, each other category with the probability {@code other}. Shares follow from
 * the counts of support (Wang et al. 2017: a pure protocol). Devices are independent, so the count of a category is the
 * sum of two binomial numbers, whatever the categories of the devices are.
 *
 * @param own the probability that a report supports the device's own category
 * @param other the probability that it supports a given other category
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
