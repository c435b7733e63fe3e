package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplacePmf;
import java.math.BigInteger;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Audits of answers together with their refinements: all answers together lose what the last one loses alone. */
final class RefinementAudits {
    private static final SmallData ZEROS = new SmallData(List.of(new SmallData.View(0, row -> row[0] == 0)));
    private static final int ROWS = 10;

    /** A noise has no probability beyond this number that matters here. */
    private static final long FAR = 200;

    private RefinementAudits() {}

    /** A filtered count of 10 against 11 at 0.5, refined to 1: both answers at most 10. */
    static AuditCase aCount() {
        return of(List.of("0.5", "1"), first -> first <= 0);
    }

    /** The same count: the first answer is above 10 and its refinement is at most 10. */
    static AuditCase aCountThatFalls() {
        return of(List.of("0.5", "1"), first -> first > 0);
    }

    /** The same count at 0.25, refined to 0.5 and then to 1: all three answers at most 10. */
    static AuditCase aCountTwice() {
        return of(List.of("0.25", "0.5", "1"), first -> first <= 0);
    }

    /** The counts of two columns, half of epsilon for each, at 0.5 and at 1: all are on the near side both times. */
    static AuditCase aSynopsis() {
        List<NoisySynopsis> steps = Stream.of("0.5", "1")
                .map(epsilon -> SynopsisAudits.counts(epsilon, SmallData.ADD_OR_REMOVE_ROW))
                .toList();
        return new AuditCase(
                new Audit<>(
                        new RefinedChain<>(steps),
                        SynopsisAudits.data(steps.getLast()),
                        SynopsisAudits.fromFirstToSecond(SmallData.ADD_OR_REMOVE_ROW),
                        answers -> answers.stream()
                                .flatMap(answer -> answer.tables().stream())
                                .allMatch(table -> table[1] <= 0)),
                () -> {
                    AuditCase.Probabilities ofOne = probabilities(new double[] {4, 2}, first -> first <= 0);
                    return new AuditCase.Probabilities(Math.pow(ofOne.onRows(), 2), Math.pow(ofOne.onNeighbor(), 2));
                });
    }

    /**
     * @param hoped the condition on each answer but the last, minus 10: on the dataset this is the noise, on the
     *     neighbour it is one more than the noise
     */
    private static AuditCase of(List<String> epsilons, LongPredicate hoped) {
        List<NoisyStatistic> steps = epsilons.stream()
                .map(epsilon -> (NoisyStatistic)
                        ServedMechanisms.count(epsilon, Statistic.Count.ofAll(0, true), SmallData.ADD_OR_REMOVE_ROW))
                .toList();
        double[] scales = epsilons.stream()
                .mapToDouble(text -> 1 / Double.parseDouble(text))
                .toArray();
        return new AuditCase(
                new Audit<>(
                        new RefinedChain<>(steps),
                        ZEROS,
                        Pair.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.repeated(ROWS, 0), new long[] {1}, new long[] {0
                        }),
                        answers -> answers.subList(0, answers.size() - 1).stream()
                                        .map(RefinementAudits::less)
                                        .allMatch(hoped::test)
                                && less(answers.getLast()) <= 0),
                () -> probabilities(scales, hoped));
    }

    private static long less(NoisyStatistic.Answer answer) {
        return answer.steps().subtract(BigInteger.valueOf(ROWS)).longValueExact();
    }

    /**
     * The last noise is Laplace. Each earlier noise is the noise after it plus an independent noise. So on the
     * neighbour, where every noise is one less, the event is less probable by the last epsilon, whatever {@code hoped}
     * is.
     */
    private static AuditCase.Probabilities probabilities(double[] scales, LongPredicate hoped) {
        DiscreteLaplacePmf last = new DiscreteLaplacePmf(scales[scales.length - 1]);
        double onRows = LongStream.rangeClosed(-FAR, 0)
                .mapToDouble(noise -> last.probability(noise) * before(scales, scales.length - 1, noise, hoped))
                .sum();
        return new AuditCase.Probabilities(onRows, onRows * Math.exp(-1 / scales[scales.length - 1]));
    }

    /** The probability that all noises before the noise of a step are as hoped for, given the noise of the step. */
    private static double before(double[] scales, int step, long noise, LongPredicate hoped) {
        if (step == 0) {
            return 1;
        }
        return LongStream.rangeClosed(-FAR, FAR)
                .filter(hoped)
                .mapToDouble(earlier -> blur(scales[step - 1], scales[step], earlier - noise)
                        * before(scales, step - 1, earlier, hoped))
                .sum();
    }

    /**
     * The probability of a difference between noises of a larger and a smaller scale. The generating functions of the
     * two laws divide: the difference is nothing with some probability, and otherwise Laplace at the larger scale.
     */
    private static double blur(double larger, double smaller, long difference) {
        double a = Math.exp(-1 / larger);
        double b = Math.exp(-1 / smaller);
        double nothing = Math.pow((1 - a) / (1 - b), 2) * b / a;
        return (difference == 0 ? nothing : 0) + (1 - nothing) * new DiscreteLaplacePmf(larger).probability(difference);
    }
}
