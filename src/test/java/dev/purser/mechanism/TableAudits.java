package dev.purser.mechanism;

import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.Aggregate.Measure;
import dev.purser.noise.DiscreteGaussianPmf;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.NoisePmf;
import dev.purser.noise.RandomBits;
import dev.purser.privacy.Grid;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyEvent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Predicate;

/**
 * Audits of tables. Column 0 has the value, column 1 the group. The audits look at the released integers. All values of
 * an answer are computed from these integers.
 */
final class TableAudits {
    private static final Aggregate COUNT = new Aggregate(Function.COUNT, null, 1);

    private TableAudits() {}

    private static SmallData groups(int groups) {
        return new SmallData(List.of(new SmallData.View(0, row -> true, groups, row -> (int) row[1])));
    }

    private static NoisyTable.Shape shape(int groups) {
        return new NoisyTable.Shape(groups, false);
    }

    private static Aggregate of(Function function, long lower, long upper) {
        return new Aggregate(function, new Measure("x", Grid.ONE, 0, lower, upper), 1);
    }

    /** A table whose answer is all that it releases. */
    private record Released(NoisyTable table) implements Mechanism<List<List<List<BigInteger>>>> {
        @Override
        public Description description() {
            return table.description();
        }

        @Override
        public PrivacyEvent event() {
            return table.event();
        }

        @Override
        public List<Statistic> statistics() {
            return table.statistics();
        }

        @Override
        public List<List<List<BigInteger>>> release(Sensitive<List<Buckets>> exact, RandomBits bits) {
            return table.measured(exact.open(), IntegerRelease.first(bits));
        }
    }

    private static boolean isAtLeast(List<BigInteger> part, long least) {
        return part.getFirst().compareTo(BigInteger.valueOf(least)) >= 0;
    }

    /**
     * Counts of two groups, epsilon 1: m rows enter the second group. Where units are replaced, m rows leave the first
     * group. The event is that both answers are on the near side.
     */
    static AuditCase counts(Neighborhood neighborhood) {
        return counts(
                neighborhood,
                ServedMechanisms.table("1", List.of(COUNT), shape(2), neighborhood),
                new DiscreteLaplacePmf(SmallData.maxRows(neighborhood) + SmallData.moved(neighborhood)),
                0);
    }

    /** The same counts with Gaussian noise of rho 0.462. Both answers are further out by what a unit moves. */
    static AuditCase gaussianCounts(Neighborhood neighborhood) {
        int m = SmallData.maxRows(neighborhood);
        double squaredL2 = (double) m * m + SmallData.moved(neighborhood) * SmallData.moved(neighborhood);
        return counts(
                neighborhood,
                ServedMechanisms.gaussianTable(List.of(COUNT), shape(2), neighborhood),
                new DiscreteGaussianPmf(squaredL2 / (2 * Math.tanh(0.5))),
                1);
    }

    private static AuditCase counts(Neighborhood neighborhood, NoisyTable table, NoisePmf noise, int units) {
        int entered = SmallData.maxRows(neighborhood);
        int left = SmallData.moved(neighborhood);
        BigDecimal most = BigDecimal.valueOf(-units * entered);
        BigDecimal least = BigDecimal.valueOf(left + units * left);
        return new AuditCase(
                new Audit<>(
                        table,
                        groups(2),
                        Pair.of(neighborhood, List.of(), new long[] {0, 0}, new long[] {0, 1}),
                        answer -> answer.groups().get(1).getFirst().value().compareTo(most) <= 0
                                && answer.groups().get(0).getFirst().value().compareTo(least) >= 0),
                () -> new AuditCase.Probabilities(
                        noise.atMost(-units * entered) * noise.atLeast((long) units * left),
                        noise.atMost(-units * entered - entered) * noise.atLeast((long) units * left + left)));
    }

    private static AuditCase released(
            NoisyTable table,
            int groups,
            Pair pair,
            Predicate<List<List<List<BigInteger>>>> event,
            AuditCase.Probabilities probabilities) {
        return new AuditCase(new Audit<>(new Released(table), groups(groups), pair, event), () -> probabilities);
    }

    /** A unit has a row in each of three groups: all three counts are 1 at least. */
    static AuditCase aUnitInThreeGroups() {
        return inThreeGroups(COUNT);
    }

    /** The same where units are counted instead of rows. */
    static AuditCase unitsOfThreeGroups() {
        return inThreeGroups(new Aggregate(Function.UNITS, Measure.units(0), 1));
    }

    private static AuditCase inThreeGroups(Aggregate count) {
        Neighborhood upToThree = SmallData.addOrRemoveUnit(3);
        NoisePmf noise = new DiscreteLaplacePmf(3);
        return released(
                ServedMechanisms.table("1", List.of(count), shape(3), upToThree),
                3,
                new Pair(List.of(new long[] {0, 0}, new long[] {0, 1}, new long[] {0, 2}), List.of()),
                groups -> groups.stream().allMatch(group -> isAtLeast(group.getFirst(), 1)),
                new AuditCase.Probabilities(Math.pow(noise.atLeast(0), 3), Math.pow(noise.atLeast(1), 3)));
    }

    /** A group that has a row, or none: its count is 1 at least. */
    static AuditCase aGroupThatMayBeEmpty() {
        NoisePmf noise = new DiscreteLaplacePmf(1);
        return released(
                ServedMechanisms.table("1", List.of(COUNT), shape(2), SmallData.ADD_OR_REMOVE_ROW),
                2,
                new Pair(List.of(new long[] {0, 1}), List.of()),
                groups -> isAtLeast(groups.get(1).getFirst(), 1),
                new AuditCase.Probabilities(noise.atLeast(0), noise.atLeast(1)));
    }

    /** A row of a group goes from one end of [−50, 50] to the other, rho 0.462: the sum is 200 at least. */
    static AuditCase aValueThatIsReplaced() {
        NoisePmf noise = new DiscreteGaussianPmf(100.0 * 100 / (2 * Math.tanh(0.5)));
        return released(
                ServedMechanisms.gaussianTable(List.of(of(Function.SUM, -50, 50)), shape(2), SmallData.REPLACE_ROW),
                2,
                new Pair(List.of(new long[] {50, 0}), List.of(new long[] {-50, 0})),
                groups -> isAtLeast(groups.getFirst().getFirst(), 200),
                new AuditCase.Probabilities(noise.atLeast(150), noise.atLeast(250)));
    }

    /** A mean in [0, 10] where a value of 10 may be added, epsilon 1: the sum from below is 10 at least. */
    static AuditCase aMean() {
        NoisePmf noise = new DiscreteLaplacePmf(10);
        return released(
                ServedMechanisms.table("1", List.of(of(Function.MEAN, 0, 10)), shape(2), SmallData.ADD_OR_REMOVE_ROW),
                2,
                new Pair(List.of(new long[] {10, 0}), List.of()),
                groups -> isAtLeast(groups.getFirst().getFirst(), 10),
                new AuditCase.Probabilities(noise.atLeast(0), noise.atLeast(10)));
    }

    /** A mean in [0, 10] under a filter, where 0 is replaced by 10: one sum is 10 at least, the other 0 at most. */
    static AuditCase aMeanOfAReplacedValue() {
        NoisePmf noise = new DiscreteLaplacePmf(20);
        return released(
                ServedMechanisms.table(
                        "1", List.of(of(Function.MEAN, 0, 10)), new NoisyTable.Shape(1, true), SmallData.REPLACE_ROW),
                1,
                new Pair(List.of(new long[] {10, 0}), List.of(new long[] {0, 0})),
                groups -> isAtLeast(groups.getFirst().getFirst(), 10)
                        && groups.getFirst().getFirst().getLast().signum() <= 0,
                new AuditCase.Probabilities(noise.atLeast(0) * noise.atMost(0), noise.atLeast(10) * noise.atMost(-10)));
    }

    /** The same mean with rho 0.462: one sum is 40 above the other. */
    static AuditCase aGaussianMeanOfAReplacedValue() {
        NoisePmf noise = new DiscreteGaussianPmf(2 * 10 * 10 / (2 * Math.tanh(0.5)));
        return released(
                ServedMechanisms.gaussianTable(
                        List.of(of(Function.MEAN, 0, 10)), new NoisyTable.Shape(1, true), SmallData.REPLACE_ROW),
                1,
                new Pair(List.of(new long[] {10, 0}), List.of(new long[] {0, 0})),
                groups -> {
                    List<BigInteger> pair = groups.getFirst().getFirst();
                    return isAtLeast(List.of(pair.get(0).subtract(pair.get(1))), 40);
                },
                new AuditCase.Probabilities(differenceAtLeast(noise, 30), differenceAtLeast(noise, 50)));
    }

    private static double differenceAtLeast(NoisePmf noise, long least) {
        double total = 0;
        for (long x = -400; x <= 400; x++) {
            total += noise.probability(x) * noise.atMost(x - least);
        }
        return total;
    }

    /** A variance in [0, 10] where a value of 10 may be added, epsilon 1: the first of the triple is 100 at least. */
    static AuditCase aVariance() {
        NoisePmf noise = new DiscreteLaplacePmf(100);
        return released(
                ServedMechanisms.table(
                        "1", List.of(of(Function.VARIANCE, 0, 10)), shape(2), SmallData.ADD_OR_REMOVE_ROW),
                2,
                new Pair(List.of(new long[] {10, 0}), List.of()),
                groups -> isAtLeast(groups.getFirst().getFirst(), 100),
                new AuditCase.Probabilities(noise.atLeast(0), noise.atLeast(100)));
    }

    /** A variance in [0, 10] of a known number of rows, where 0 is replaced by 5: sum and products are large. */
    static AuditCase aVarianceOfKnownRows() {
        NoisePmf ofSum = new DiscreteLaplacePmf(20);
        NoisePmf ofProducts = new DiscreteLaplacePmf(50);
        return released(
                ServedMechanisms.table("1", List.of(of(Function.VARIANCE, 0, 10)), shape(1), SmallData.REPLACE_ROW),
                1,
                new Pair(List.of(new long[] {5, 0}), List.of(new long[] {0, 0})),
                groups -> isAtLeast(groups.getFirst().get(0), 5)
                        && isAtLeast(groups.getFirst().get(1), 25),
                new AuditCase.Probabilities(
                        ofSum.atLeast(0) * ofProducts.atLeast(0), ofSum.atLeast(5) * ofProducts.atLeast(25)));
    }

    /** Shares from 5 and from 10 on where a 15 may be added, epsilon 1: the first and the last cell are 1 at least. */
    static AuditCase sharesOfOneColumn() {
        NoisePmf noise = new DiscreteLaplacePmf(1);
        return released(
                ServedMechanisms.table("1", List.of(from(5), from(10)), shape(2), SmallData.ADD_OR_REMOVE_ROW),
                2,
                new Pair(List.of(new long[] {15, 0}), List.of()),
                groups -> isAtLeast(groups.getFirst().getFirst(), 1)
                        && groups.getFirst().getFirst().getLast().signum() > 0,
                new AuditCase.Probabilities(noise.atLeast(1) * noise.atLeast(0), noise.atLeast(1) * noise.atLeast(1)));
    }

    private static Aggregate from(long least) {
        Statistic.Count range = new Statistic.Count(0, true, least, Statistic.NO_UPPER_END);
        return new Aggregate(Function.MEAN, Measure.whether("x", new Statistic.RowsWithin(0, List.of(range))), 1);
    }

    /** A sum alone in [10, 20] where a value of 20 may be added: 20 at least. */
    static AuditCase aSumAlone() {
        NoisePmf noise = new DiscreteLaplacePmf(20);
        return released(
                ServedMechanisms.table("1", List.of(of(Function.SUM, 10, 20)), shape(2), SmallData.ADD_OR_REMOVE_ROW),
                2,
                new Pair(List.of(new long[] {20, 0}), List.of()),
                groups -> isAtLeast(groups.getFirst().getFirst(), 20),
                new AuditCase.Probabilities(noise.atLeast(0), noise.atLeast(20)));
    }
}
