package dev.purser.mechanism;

import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Audits of what replacing a privacy unit can do besides changing its values, all at epsilon 1: a unit of one row
 * becomes one of three, so that the number of rows is private too; and a row that is replaced passes the filter that it
 * did not pass.
 */
final class UnitAudits {
    private static final Neighborhood UP_TO_THREE = SmallData.replaceUnit(3);

    /** Column 0 among the rows whose column 1 is 1. */
    private static final SmallData FILTERED = new SmallData(List.of(new SmallData.View(0, row -> row[1] == 1)));

    private UnitAudits() {}

    /** One unit in place of another: {@code after} rows of one value in place of {@code before} rows of another. */
    private static Pair replaced(List<long[]> others, int before, long from, int after, long to) {
        List<long[]> rows = new ArrayList<>(others);
        rows.addAll(SmallData.repeated(before, from));
        List<long[]> neighbor = new ArrayList<>(others);
        neighbor.addAll(SmallData.repeated(after, to));
        return new Pair(rows, neighbor);
    }

    /** A row that fails the filter in place of one that passes it. */
    private static Pair enteringTheFilter(int others, long value) {
        List<long[]> rows = new ArrayList<>(Collections.nCopies(others, new long[] {value, 1}));
        List<long[]> neighbor = new ArrayList<>(rows);
        rows.add(new long[] {value, 0});
        neighbor.add(new long[] {value, 1});
        return new Pair(rows, neighbor);
    }

    /** All rows are counted: 11 against 13, answers of at most 11. */
    static AuditCase countOfAGrowingUnit() {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(3);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.count("1", Statistic.Count.ofAll(0, false), UP_TO_THREE),
                        SmallData.ONE_COLUMN,
                        replaced(SmallData.repeated(10, 0), 1, 0, 3, 0),
                        answer -> answer.steps().compareTo(BigInteger.valueOf(11)) <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-2)));
    }

    /** Values in [50, 100]: one of 50 against three of 100, answers of at most 50. */
    static AuditCase sumOfAGrowingUnit() {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(300);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.sum("1", new Statistic.ClampedSum(0, false, 50, 100), UP_TO_THREE),
                        SmallData.ONE_COLUMN,
                        replaced(List.of(), 1, 50, 3, 100),
                        answer -> answer.steps().compareTo(BigInteger.valueOf(50)) <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-250)));
    }

    /** Values in [50, 100]: none against one of 100, answers of at most 0. */
    static AuditCase sumOfARowEnteringTheFilter() {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(100);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.sum("1", new Statistic.ClampedSum(0, true, 50, 100), SmallData.REPLACE_ROW),
                        FILTERED,
                        enteringTheFilter(0, 100),
                        answer -> answer.steps().signum() <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-100)));
    }

    /** One row leaves the second bin and three enter the first; both answers on the near side. */
    static AuditCase histogramOfAGrowingUnit() {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(6);
        List<long[]> others = new ArrayList<>(SmallData.repeated(10, 0));
        others.addAll(SmallData.repeated(10, 1));
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.histogram("1", 0, false, new long[] {0, 1, 2}, UP_TO_THREE),
                        SmallData.ONE_COLUMN,
                        replaced(others, 1, 1, 3, 0),
                        answer -> answer.counts().get(0).intValueExact() <= 10
                                && answer.counts().get(1).intValueExact() >= 11),
                () -> new AuditCase.Probabilities(
                        noise.atMost(0) * noise.atLeast(0), noise.atMost(-3) * noise.atLeast(1)));
    }

    /**
     * 10 against 11 in the only bin, answers of at most 10: a replaced row that does not leave another bin shows half.
     */
    static AuditCase histogramOfARowEnteringTheFilter() {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(2);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.histogram("1", 0, true, new long[] {0, 1}, SmallData.REPLACE_ROW),
                        FILTERED,
                        enteringTheFilter(10, 0),
                        answer -> answer.counts().getFirst().intValueExact() <= 10),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-1)));
    }

    /**
     * One row leaves a range and three enter ten others: (−3 × 10, 1) against (0 × 10, 0), the eleventh the first
     * above.
     */
    static AuditCase rangesOfAGrowingUnit() {
        List<Statistic.Count> ranges = new ArrayList<>(Collections.nCopies(10, new Statistic.Count(0, false, 0, 1)));
        ranges.add(new Statistic.Count(0, false, 1, 2));
        Mechanism<AboveThreshold.Answer> mechanism =
                ServedMechanisms.aboveThreshold("1", ThresholdQueries.ofCounts(ranges, 10, UP_TO_THREE));
        List<long[]> others = new ArrayList<>(SmallData.repeated(7, 0));
        others.addAll(SmallData.repeated(10, 1));
        return new AuditCase(
                new Audit<>(
                        mechanism,
                        SmallData.ONE_COLUMN,
                        replaced(others, 1, 1, 3, 0),
                        answer -> answer.index().orElse(-1) == 10),
                () -> {
                    ExactTranscripts exact = ExactTranscripts.of(mechanism.description());
                    return new AuditCase.Probabilities(
                            exact.probability(List.of(ExactTranscripts.below(-3, 10), ExactTranscripts.above(1))),
                            exact.probability(List.of(ExactTranscripts.below(0, 10), ExactTranscripts.above(0))));
                });
    }
}
