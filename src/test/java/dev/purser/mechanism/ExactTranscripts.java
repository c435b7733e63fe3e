package dev.purser.mechanism;

import dev.purser.mechanism.ExactComparison.TabulatedNoise;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.NoisePmf;
import dev.purser.noise.OneSidedGeometricPmf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The exact probability of a transcript of the sparse vector technique, by summation over the discrete noisy threshold.
 * The scales are those that the mechanism states. {@code ThresholdTranscriptStatisticalTests} shows that it uses them.
 */
final class ExactTranscripts {
    static final long NO_GAP = -1;
    private static final double TAIL = 40;

    private final NoisePmf thresholdNoise;
    private final long thresholdShift;
    private final ExactComparison comparison;
    private final double scales;
    private final boolean freshThresholdAfterPositive;
    private final Map<List<Step>, Double> known = new HashMap<>();

    private ExactTranscripts(
            NoisePmf thresholdNoise,
            long thresholdShift,
            ExactComparison comparison,
            double scales,
            boolean freshThresholdAfterPositive) {
        this.thresholdNoise = thresholdNoise;
        this.thresholdShift = thresholdShift;
        this.comparison = comparison;
        this.scales = scales;
        this.freshThresholdAfterPositive = freshThresholdAfterPositive;
    }

    ExactTranscripts(double thresholdScale, double comparisonScale, boolean freshThresholdAfterPositive) {
        this(
                new DiscreteLaplacePmf(thresholdScale),
                0,
                once(new DiscreteLaplacePmf(comparisonScale), thresholdScale + comparisonScale),
                thresholdScale + comparisonScale,
                freshThresholdAfterPositive);
    }

    /**
     * All neighbours of a transcript in which all negatives move by delta, up, down or not, and all positives too. In a
     * monotone list, negatives and positives do not move in opposite directions.
     */
    static List<List<Step>> neighbors(List<Step> shape, boolean monotone, long delta) {
        List<List<Step>> neighbors = new ArrayList<>();
        for (int lowMove = -1; lowMove <= 1; lowMove++) {
            for (int highMove = -1; highMove <= 1; highMove++) {
                if (!monotone || lowMove * highMove >= 0) {
                    neighbors.add(moved(shape, lowMove * delta, highMove * delta));
                }
            }
        }
        return neighbors;
    }

    static List<Step> moved(List<Step> transcript, long lowMove, long highMove) {
        return transcript.stream()
                .map(step -> step.moved(step.positive() ? highMove : lowMove))
                .toList();
    }

    static ExactTranscripts of(Description stated) {
        double threshold = scale(stated, "thresholdScale");
        double comparison = scale(stated, "comparisonScale");
        if (stated.parameters().containsKey("coarseScale")) {
            return adaptive(threshold, scale(stated, "coarseScale"), comparison, Math.round(scale(stated, "margin")));
        }
        if (stated.noise().equals(Description.ONE_SIDED_GEOMETRIC)) {
            return oneSided(threshold, comparison, Math.round(scale(stated, "thresholdShift")));
        }
        return new ExactTranscripts(
                threshold,
                comparison,
                stated.name().endsWith("-textbook") || stated.name().endsWith("-restart"));
    }

    static ExactTranscripts oneSided(double thresholdScale, double comparisonScale, long thresholdShift) {
        double scales = thresholdScale + comparisonScale;
        return new ExactTranscripts(
                new OneSidedGeometricPmf(thresholdScale),
                thresholdShift,
                once(new OneSidedGeometricPmf(comparisonScale), scales),
                scales,
                false);
    }

    static ExactTranscripts adaptive(double thresholdScale, double coarseScale, double fineScale, long margin) {
        double scales = thresholdScale + coarseScale + fineScale;
        return new ExactTranscripts(
                new DiscreteLaplacePmf(thresholdScale),
                0,
                new ExactComparison.Twice(
                        new TabulatedNoise(new DiscreteLaplacePmf(coarseScale), scales),
                        new TabulatedNoise(new DiscreteLaplacePmf(fineScale), scales),
                        margin),
                scales,
                false);
    }

    private static ExactComparison once(NoisePmf noise, double scales) {
        return new ExactComparison.Once(new TabulatedNoise(noise, scales));
    }

    static double scale(Description description, String parameter) {
        return ((Description.InSteps)
                        Objects.requireNonNull(description.parameters().get(parameter)))
                .steps()
                .doubleValue();
    }

    /** What one statistic showed. */
    enum Outcome {
        NEGATIVE,
        POSITIVE,
        /** A positive of the adaptive variant's first comparison. */
        CLEAR,
        /** A positive of the second comparison, after the first did not decide. */
        CLOSE
    }

    /**
     * A run of equal statistics with equal outcomes.
     *
     * @param excess the exact value minus the threshold
     * @param gap the released gap of a positive, or {@link #NO_GAP}
     */
    record Step(long excess, Outcome outcome, int times, long gap) {
        Step(long excess, boolean positive, int times) {
            this(excess, positive ? Outcome.POSITIVE : Outcome.NEGATIVE, times, NO_GAP);
        }

        boolean positive() {
            return outcome != Outcome.NEGATIVE;
        }

        Step moved(long by) {
            return new Step(excess + by, outcome, times, gap);
        }
    }

    static Step below(long excess, int times) {
        return new Step(excess, false, times);
    }

    static Step above(long excess) {
        return new Step(excess, true, 1);
    }

    static Step aboveBy(long excess, long gap) {
        return new Step(excess, Outcome.POSITIVE, 1, gap);
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

    /** The probability that a noisy threshold lies {@code offset} above the threshold. */
    double ofThreshold(long offset) {
        return thresholdNoise.probability(offset - thresholdShift);
    }

    /** The probability of what one comparison shows of a value that lies {@code above} over the noisy threshold. */
    double ofReply(long above, Outcome outcome, long gap) {
        return comparison.probability(above, outcome, gap);
    }

    private double underOneThreshold(List<Step> transcript) {
        // Far enough that the threshold passes every excess and each noise is below exp(-40) of its bulk. The tests use
        // only transcripts whose probability is well above that.
        long farthest = transcript.stream()
                .mapToLong(step -> Math.abs(step.excess() - thresholdShift))
                .max()
                .orElse(0);
        long reach = farthest + (long) Math.ceil(TAIL * scales);
        double total = 0;
        for (long rho = -reach; rho <= reach; rho++) {
            double product = thresholdNoise.probability(rho);
            for (Step step : transcript) {
                if (product == 0) {
                    break;
                }
                double once = comparison.probability(step.excess() - thresholdShift - rho, step.outcome(), step.gap());
                product *= step.times() == 1 ? once : Math.pow(once, step.times());
            }
            total += product;
        }
        return total;
    }

    /** |ln P(one)/P(other)|. */
    double loss(List<Step> one, List<Step> other) {
        return Math.abs(Math.log(probability(one)) - Math.log(probability(other)));
    }
}
