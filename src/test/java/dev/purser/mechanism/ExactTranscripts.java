package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplacePmf;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The exact probability of a transcript of the sparse vector technique, by summation over the discrete noisy threshold. The
 * scales are those that the mechanism states; that it uses them is shown by {@code ThresholdTranscriptStatisticalTests}.
 */
final class ExactTranscripts {
    private static final double TAIL = 40;
    private static final long NO_GAP = -1;

    private final DiscreteLaplacePmf thresholdNoise;
    private final DiscreteLaplacePmf comparisonNoise;
    private final double[] comparisonAtLeast;
    private final double scales;
    private final boolean freshThresholdAfterPositive;
    private final Map<List<Step>, Double> known = new HashMap<>();

    ExactTranscripts(double thresholdScale, double comparisonScale, boolean freshThresholdAfterPositive) {
        thresholdNoise = new DiscreteLaplacePmf(thresholdScale);
        comparisonNoise = new DiscreteLaplacePmf(comparisonScale);
        scales = thresholdScale + comparisonScale;
        this.freshThresholdAfterPositive = freshThresholdAfterPositive;
        int tabulated = (int) Math.ceil(60 * scales) + 100;
        comparisonAtLeast = IntStream.rangeClosed(-tabulated, tabulated)
                .mapToDouble(comparisonNoise::atLeast)
                .toArray();
    }

    static ExactTranscripts of(Description description) {
        return new ExactTranscripts(
                scale(description, "thresholdScale"),
                scale(description, "comparisonScale"),
                description.name().endsWith("-textbook"));
    }

    static double scale(Description description, String parameter) {
        return ((Description.InSteps)
                        Objects.requireNonNull(description.parameters().get(parameter)))
                .steps()
                .doubleValue();
    }

    /**
     * A run of equal statistics with equal outcomes.
     *
     * @param excess the exact value minus the threshold
     * @param gap the released gap of a positive, or {@link #NO_GAP}
     */
    record Step(long excess, boolean positive, int times, long gap) {
        Step(long excess, boolean positive, int times) {
            this(excess, positive, times, NO_GAP);
        }

        Step moved(long by) {
            return new Step(excess + by, positive, times, gap);
        }
    }

    static Step below(long excess, int times) {
        return new Step(excess, false, times);
    }

    static Step above(long excess) {
        return new Step(excess, true, 1);
    }

    static Step aboveBy(long excess, long gap) {
        return new Step(excess, true, 1, gap);
    }

    double probability(List<Step> transcript) {
        Double before = known.get(transcript);
        if (before != null) {
            return before;
        }
        double probability = summed(transcript);
        known.put(List.copyOf(transcript), probability);
        return probability;
    }

    private double summed(List<Step> transcript) {
        if (freshThresholdAfterPositive) {
            double product = 1;
            int start = 0;
            for (int i = 0; i < transcript.size(); i++) {
                if (transcript.get(i).positive() || i == transcript.size() - 1) {
                    product *= underOneThreshold(transcript.subList(start, i + 1));
                    start = i + 1;
                }
            }
            return product;
        }
        return underOneThreshold(transcript);
    }

    private double underOneThreshold(List<Step> transcript) {
        // Far enough that the threshold passes every excess and either noise is below exp(-40) of its bulk; the tests
        // keep to transcripts whose probability is well above that.
        long farthest = transcript.stream()
                .mapToLong(step -> Math.abs(step.excess()))
                .max()
                .orElse(0);
        long reach = farthest + (long) Math.ceil(TAIL * scales);
        double total = 0;
        for (long rho = -reach; rho <= reach; rho++) {
            double product = thresholdNoise.probability(rho);
            for (Step step : transcript) {
                double once = step.gap() != NO_GAP
                        ? comparisonNoise.probability(rho - step.excess() + step.gap())
                        : step.positive()
                                ? comparisonAtLeast(rho - step.excess())
                                // P(noise <= x - 1), by symmetry P(noise >= 1 - x)
                                : comparisonAtLeast(1 - rho + step.excess());
                product *= step.times() == 1 ? once : Math.pow(once, step.times());
            }
            total += product;
        }
        return total;
    }

    private double comparisonAtLeast(long x) {
        int middle = comparisonAtLeast.length / 2;
        return Math.abs(x) <= middle ? comparisonAtLeast[(int) x + middle] : comparisonNoise.atLeast(x);
    }

    /** |ln P(one)/P(other)|. */
    double loss(List<Step> one, List<Step> other) {
        return Math.abs(Math.log(probability(one)) - Math.log(probability(other)));
    }
}
