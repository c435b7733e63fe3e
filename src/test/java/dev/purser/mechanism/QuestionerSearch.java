package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The largest loss that an adaptive questioner can cause in a short session, by exhaustion. Before each question the
 * questioner looks at all replies so far and picks the next question: what its statistic is on one dataset and on the
 * neighbour. The loss of a transcript under a strategy is fixed by the questions and replies on its own path. So the
 * largest loss over all strategies and transcripts is the largest loss over all such paths. Every path is searched, but
 * only one order of the questions under one noisy threshold: the probability is a sum over that threshold of a product
 * over the questions, and the product is the same in any order.
 *
 * @param stated the description of the mechanism, with its scales
 * @param excesses how far a statistic may be above the threshold on one dataset; on the other dataset it differs by at
 *     most {@code sensitivity}
 * @param monotone whether all statistics differ in one direction
 * @param gaps the gaps that a positive may show, or {@link ExactTranscripts#NO_GAP} alone
 * @param thresholds when a new noisy threshold is drawn
 * @param maxPositives the number of positives after which the session is over
 * @param spendable what may be spent before a positive, in halves of a close positive of the adaptive variant
 */
record QuestionerSearch(
        Description stated,
        List<Long> excesses,
        long sensitivity,
        boolean monotone,
        List<Long> gaps,
        Thresholds thresholds,
        int maxPositives,
        int spendable) {
    private static final double TAIL = 25;

    /** When a noisy threshold is drawn. */
    enum Thresholds {
        ONCE,
        AFTER_EACH_POSITIVE,
        FOR_EACH_QUESTION
    }

    /**
     * A question with one of its replies: for each offset of the noisy threshold, the probability of that reply on each
     * of the two datasets.
     */
    private record Asked(double[] here, double[] there, boolean positive, int spent) {}

    /** For each number of questions under one threshold, the largest ln P/P', by whether the last one was positive. */
    private static final class Worst {
        private final double[] open;
        private final double[] closed;

        Worst(int questions) {
            open = new double[questions + 1];
            closed = new double[questions + 1];
            Arrays.fill(open, Double.NEGATIVE_INFINITY);
            Arrays.fill(closed, Double.NEGATIVE_INFINITY);
            open[0] = 0;
        }

        void see(int questions, boolean positive, double loss) {
            double[] kind = positive ? closed : open;
            kind[questions] = Math.max(kind[questions], loss);
        }
    }

    /** The largest loss of any session of at most so many questions under one threshold, and in all. */
    double worst(int questionsPerThreshold, int questions) {
        if (!monotone) {
            return worst(-sensitivity, sensitivity, questionsPerThreshold, questions);
        }
        return Math.max(
                worst(0, sensitivity, questionsPerThreshold, questions),
                worst(-sensitivity, 0, questionsPerThreshold, questions));
    }

    private double worst(long fall, long rise, int questionsPerThreshold, int questions) {
        double worst = 0;
        for (boolean exchanged : new boolean[] {false, true}) {
            Worst ofOne = new Search(fall, rise, questionsPerThreshold, exchanged).run();
            worst = Math.max(worst, thresholds == Thresholds.ONCE ? largest(ofOne) : ofAll(ofOne, questions));
        }
        return worst;
    }

    private static double largest(Worst ofOne) {
        return Math.max(
                Arrays.stream(ofOne.open).max().orElseThrow(),
                Arrays.stream(ofOne.closed).max().orElseThrow());
    }

    /** Thresholds are drawn independently, so the losses under several of them add up. */
    private double ofAll(Worst ofOne, int questions) {
        double[][] most = new double[maxPositives + 1][questions + 1];
        for (int positives = 1; positives <= maxPositives; positives++) {
            for (int left = 1; left <= questions; left++) {
                for (int n = 0; n <= Math.min(left, ofOne.open.length - 1); n++) {
                    double afterNegatives =
                            thresholds == Thresholds.FOR_EACH_QUESTION && n > 0 ? most[positives][left - n] : 0;
                    most[positives][left] = Math.max(
                            most[positives][left],
                            Math.max(ofOne.open[n] + afterNegatives, ofOne.closed[n] + most[positives - 1][left - n]));
                }
            }
        }
        return most[maxPositives][questions];
    }

    /** All paths under one threshold. */
    private final class Search {
        private final int questions;
        private final int positives = thresholds == Thresholds.ONCE ? maxPositives : 1;
        private final List<Asked> all = new ArrayList<>();
        private final double[][] here;
        private final double[][] there;
        private final Worst worst;

        Search(long fall, long rise, int questions, boolean exchanged) {
            this.questions = thresholds == Thresholds.FOR_EACH_QUESTION ? 1 : questions;
            ExactTranscripts exact = ExactTranscripts.of(stated);
            double scales = ExactTranscripts.scale(stated, "thresholdScale")
                    + ExactTranscripts.scale(stated, "comparisonScale");
            long farthest = excesses.stream().mapToLong(Math::abs).max().orElseThrow() + sensitivity;
            int reach = Math.toIntExact(farthest + (long) Math.ceil(TAIL * scales));
            for (long excess : excesses) {
                for (long move = fall; move <= rise; move++) {
                    for (Outcome outcome : outcomes()) {
                        for (long gap : gapsOf(outcome)) {
                            double[] one = replies(exact, excess, outcome, gap, reach);
                            double[] other = replies(exact, excess + move, outcome, gap, reach);
                            all.add(new Asked(
                                    exchanged ? other : one,
                                    exchanged ? one : other,
                                    outcome != Outcome.NEGATIVE,
                                    spent(outcome)));
                        }
                    }
                }
            }
            // Questions are in an order in which those that can halt the session come last.
            all.sort(Comparator.comparingInt(Asked::spent));
            here = new double[this.questions + 1][];
            there = new double[this.questions + 1][];
            for (int i = 0; i <= this.questions; i++) {
                here[i] = new double[2 * reach + 1];
                there[i] = new double[2 * reach + 1];
            }
            for (int offset = -reach; offset <= reach; offset++) {
                here[0][offset + reach] = exact.ofThreshold(offset);
                there[0][offset + reach] = exact.ofThreshold(offset);
            }
            worst = new Worst(this.questions);
        }

        private List<Outcome> outcomes() {
            return stated.parameters().containsKey("coarseScale")
                    ? List.of(Outcome.NEGATIVE, Outcome.CLEAR, Outcome.CLOSE)
                    : List.of(Outcome.NEGATIVE, Outcome.POSITIVE);
        }

        private List<Long> gapsOf(Outcome outcome) {
            if (outcome == Outcome.NEGATIVE) {
                return List.of(ExactTranscripts.NO_GAP);
            }
            if (outcome != Outcome.CLEAR || gaps.contains(ExactTranscripts.NO_GAP)) {
                return gaps;
            }
            // The gap of a clear positive is at least the margin.
            long margin = Math.round(ExactTranscripts.scale(stated, "margin"));
            return gaps.stream().map(gap -> gap + margin).toList();
        }

        private static int spent(Outcome outcome) {
            return switch (outcome) {
                case NEGATIVE -> 0;
                case CLEAR, POSITIVE -> 1;
                case CLOSE -> 2;
            };
        }

        private static double[] replies(ExactTranscripts exact, long excess, Outcome outcome, long gap, int reach) {
            double[] replies = new double[2 * reach + 1];
            for (int offset = -reach; offset <= reach; offset++) {
                replies[offset + reach] = exact.ofReply(excess - offset, outcome, gap);
            }
            return replies;
        }

        Worst run() {
            look(0, 0, 0, 0);
            return worst;
        }

        private void look(int asked, int first, int found, int spent) {
            for (int i = first; i < all.size(); i++) {
                Asked next = all.get(i);
                double here = multiplied(this.here[asked], next.here(), this.here[asked + 1]);
                double there = multiplied(this.there[asked], next.there(), this.there[asked + 1]);
                worst.see(asked + 1, next.positive(), Math.log(here) - Math.log(there));
                int foundThen = found + (next.positive() ? 1 : 0);
                int spentThen = spent + next.spent();
                if (asked + 1 < questions && foundThen < positives && spentThen <= spendable) {
                    look(asked + 1, i, foundThen, spentThen);
                }
            }
        }

        private static double multiplied(double[] one, double[] other, double[] product) {
            double sum = 0;
            for (int i = 0; i < one.length; i++) {
                product[i] = one[i] * other[i];
                sum += product[i];
            }
            return sum;
        }
    }
}
