package dev.purser.mechanism;

import dev.purser.mechanism.ExactTranscripts.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest Rényi divergence of one order that an adaptive questioner can cause in a short session of restarts, by
 * exhaustion. Unlike the loss of one transcript it is a sum over all transcripts, Σ P^a · P'^(1−a), so the whole
 * strategy matters: at each transcript so far the questioner takes the question for which the sum over all that can
 * follow is largest.
 *
 * @param prior of the noisy threshold's offset
 * @param questions each with its two replies, under each offset
 */
record RenyiSearch(double[] prior, List<List<Asked>> questions, double order, int maxPositives) {
    private static final double TAIL = 40;

    /** A question's reply: its probability under each offset, on a dataset and on its neighbour. */
    private record Asked(double[] here, double[] there, boolean positive) {}

    static RenyiSearch of(Description stated, List<Long> excesses, boolean monotone, double order, int maxPositives) {
        ExactTranscripts exact = ExactTranscripts.of(stated);
        double scales =
                ExactTranscripts.scale(stated, "thresholdScale") + ExactTranscripts.scale(stated, "comparisonScale");
        int reach = (int) Math.ceil(TAIL * scales);
        List<List<Asked>> questions = new ArrayList<>();
        for (long excess : excesses) {
            for (int move = monotone ? 0 : -1; move <= 1; move++) {
                List<Asked> replies = new ArrayList<>();
                for (Outcome outcome : List.of(Outcome.NEGATIVE, Outcome.POSITIVE)) {
                    replies.add(new Asked(
                            replies(exact, excess, outcome, reach),
                            replies(exact, excess + move, outcome, reach),
                            outcome == Outcome.POSITIVE));
                }
                questions.add(replies);
            }
        }
        double[] prior = new double[2 * reach + 1];
        for (int offset = -reach; offset <= reach; offset++) {
            prior[offset + reach] = exact.ofThreshold(offset);
        }
        return new RenyiSearch(prior, questions, order, maxPositives);
    }

    private static double[] replies(ExactTranscripts exact, long excess, Outcome outcome, int reach) {
        double[] replies = new double[2 * reach + 1];
        for (int offset = -reach; offset <= reach; offset++) {
            replies[offset + reach] = exact.ofReply(excess - offset, outcome, ExactTranscripts.NO_GAP);
        }
        return replies;
    }

    /** The larger of both directions' largest divergences, for sessions of up to so many questions. */
    double worst(int asked) {
        return Math.log(Math.max(
                        most(prior, prior, 1, maxPositives, asked, false),
                        most(prior, prior, 1, maxPositives, asked, true)))
                / (order - 1);
    }

    /**
     * Σ P^a · P'^(1−a) over all that can follow, at the best strategy.
     *
     * @param here the probability of the replies since the last positive together with each offset, on the dataset
     * @param there the same on its neighbour
     * @param before P^a · P'^(1−a) of the replies up to the last positive
     */
    private double most(double[] here, double[] there, double before, int positives, int left, boolean exchanged) {
        double most = 0;
        double sofar = before * power(here, there);
        if (left == 0 || positives == 0) {
            return sofar;
        }
        for (List<Asked> question : questions) {
            double sum = 0;
            for (Asked reply : question) {
                double[] hereThen = times(here, exchanged ? reply.there() : reply.here());
                double[] thereThen = times(there, exchanged ? reply.here() : reply.there());
                sum += reply.positive()
                        ? most(prior, prior, before * power(hereThen, thereThen), positives - 1, left - 1, exchanged)
                        : most(hereThen, thereThen, before, positives, left - 1, exchanged);
            }
            most = Math.max(most, sum);
        }
        return most;
    }

    private double power(double[] here, double[] there) {
        return Math.pow(sum(here), order) * Math.pow(sum(there), 1 - order);
    }

    private static double sum(double[] all) {
        double sum = 0;
        for (double each : all) {
            sum += each;
        }
        return sum;
    }

    private static double[] times(double[] one, double[] other) {
        double[] product = new double[one.length];
        for (int i = 0; i < one.length; i++) {
            product[i] = one[i] * other[i];
        }
        return product;
    }
}
