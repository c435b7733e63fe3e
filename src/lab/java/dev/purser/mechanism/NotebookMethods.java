package dev.purser.mechanism;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.commons.math3.distribution.LaplaceDistribution;
import org.apache.commons.math3.random.Well19937c;

/**
 * The methods of the notebooks from which this project grew, unchanged, in floating point. The service's methods are
 * compared with them. None of them is served.
 */
final class NotebookMethods {
    private final LaplaceDistribution unit;
    private final Well19937c random;

    NotebookMethods(long seed) {
        random = new Well19937c(seed);
        unit = new LaplaceDistribution(random, 0, 1);
    }

    private double laplace(double scale) {
        return scale * unit.sample();
    }

    /**
     * The automatically clipped mean: AboveThreshold at a third of epsilon over Σ min(x, b) − Σ min(x, b + 1) for b =
     * 1, 6, 11 … below 150 000, threshold 0, and a random bound if none is found; then a noisy sum and a noisy count
     * at a third each.
     *
     * @param sorted integers, ascending
     */
    double autoAverage(long[] sorted, double epsilon) {
        double share = epsilon / 3;
        double noisyThreshold = laplace(2 / share);
        long bound = 1 + 5L * random.nextInt(30_000);
        for (long b = 1; b < 150_000; b += 5) {
            double loss = -countAbove(sorted, b);
            if (loss + laplace(4 / share) >= noisyThreshold) {
                bound = b;
                break;
            }
        }
        double sum = 0;
        for (long x : sorted) {
            sum += Math.min(x, bound);
        }
        return (sum + laplace(bound / share)) / (sorted.length + laplace(1 / share));
    }

    private static int countAbove(long[] sorted, long bound) {
        int found = Arrays.binarySearch(sorted, bound);
        int first = found < 0 ? -found - 1 : found;
        while (first < sorted.length && sorted[first] == bound) {
            first++;
        }
        return sorted.length - first;
    }

    /** "Composition": noisy sum over noisy count, half of epsilon each, the sum's noise by hi − lo. */
    double composition(long sum, int count, double low, double high, double epsilon) {
        return (sum + laplace((high - low) * 2 / epsilon)) / (count + laplace(2 / epsilon));
    }

    /** "Clamping": the mean over the true count plus noise, clamped. */
    double clampedWithTrueCount(long sum, int count, double low, double high, double epsilon) {
        double noisy = (double) sum / count + laplace((high - low) / (count * epsilon));
        return Math.clamp(noisy, low, high);
    }

    /** "Normalisation": a noisy sum of distances from the middle, with twice the noise it needs, over a noisy count. */
    double normalised(long sum, int count, double low, double high, double epsilon) {
        double middle = (low + high) / 2;
        double noisySum = sum - count * middle + laplace(2 * (high - low) / epsilon);
        return middle + noisySum / (count + laplace(2 / epsilon));
    }

    /**
     * "Resampling": noise is drawn until the noisy mean over the true count lies in the range. Not private at epsilon.
     */
    double resampled(long sum, int count, double low, double high, double epsilon) {
        double noisy;
        do {
            noisy = (double) sum / count + laplace((high - low) / (count * epsilon));
        } while (noisy < low || noisy > high);
        return noisy;
    }

    /** What a sparse vector run found. */
    record Found(BitSet positives, double[] values) {}

    /** Sparse by restarts at half of epsilon, then a noisy value for each position at the other half. */
    Found sparseThenValues(long[] exact, double threshold, int maxPositives, double epsilon) {
        return restarts(exact, threshold, maxPositives, epsilon / 2, maxPositives * 2 / epsilon);
    }

    /** NumericSparse of the textbook, without a delta: eight ninths and one ninth. */
    Found numericSparse(long[] exact, double threshold, int maxPositives, double epsilon) {
        return restarts(exact, threshold, maxPositives, epsilon * 8 / 9, maxPositives * 9 / epsilon);
    }

    private Found restarts(long[] exact, double threshold, int maxPositives, double forComparisons, double valueScale) {
        double each = forComparisons / maxPositives;
        BitSet positives = new BitSet();
        double[] values = new double[exact.length];
        double noisyThreshold = threshold + laplace(2 / each);
        for (int i = 0; i < exact.length && positives.cardinality() < maxPositives; i++) {
            if (exact[i] + laplace(4 / each) >= noisyThreshold) {
                positives.set(i);
                values[i] = exact[i] + laplace(valueScale);
                noisyThreshold = threshold + laplace(2 / each);
            }
        }
        return new Found(positives, values);
    }
}
