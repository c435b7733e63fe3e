package dev.purser.mechanism;

import dev.purser.noise.DiscreteGaussianPmf;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.NoisePmf;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Audits of means. A unit has m rows. The expected probabilities are summed from each mean's split of epsilon and the
 * sensitivities of its sum and count, both written down here again.
 */
final class MeanAudits {
    // Heights in [150, 200] on a grid of hundredths: a unit of rows of 200 is added or replaces a unit of rows of 150.
    // Epsilon 1.
    private static final long LOW = 15_000;
    private static final long HIGH = 20_000;
    private static final long MIDDLE_AND_A_HALF = 17_550;

    private MeanAudits() {}

    private static Audit<MeanAnswer> heightAudit(
            Mechanism<MeanAnswer> mechanism, Neighborhood neighborhood, long least) {
        return new Audit<>(
                mechanism,
                SmallData.ONE_COLUMN,
                Pair.of(neighborhood, List.of(), new long[] {LOW}, new long[] {HIGH}),
                answer -> answer.meanSteps().compareTo(BigDecimal.valueOf(least)) >= 0);
    }

    private static MeanTarget heights(Neighborhood neighborhood) {
        return new MeanTarget(0, false, LOW, HIGH, neighborhood);
    }

    /** The number of rows of a dataset that is one unit, or of the dataset without this unit. */
    private static int rows(Neighborhood neighborhood, boolean withUnit) {
        return withUnit || neighborhood.relation() == NeighboringRelation.REPLACE_ONE
                ? neighborhood.unit().maxRows()
                : 0;
    }

    /**
     * P(S / N >= mean), N >= 1, for the noisy sum and the noisy count of a mean. A count of scale 0 is the exact count.
     */
    private static double ratioAtLeast(double sumScale, double countScale, long sum, long count, long mean) {
        DiscreteLaplacePmf sumNoise = new DiscreteLaplacePmf(sumScale);
        if (countScale == 0) {
            return sumNoise.atLeast((double) mean * count - sum);
        }
        DiscreteLaplacePmf countNoise = new DiscreteLaplacePmf(countScale);
        double total = 0;
        for (long rows = 1; rows < count + 60 * Math.ceil(countScale); rows++) {
            total += countNoise.probability(rows - count) * sumNoise.atLeast((double) mean * rows - sum);
        }
        return total;
    }

    /** Means of at least 175.5. The sum has half of epsilon, or all of it where the count is public. */
    static AuditCase sumAndCountMean(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        boolean publicCount = neighborhood.hasPublicRowCount();
        double sumScale = publicCount ? HIGH - LOW : HIGH * m / 0.5;
        double countScale = publicCount ? 0 : m / 0.5;
        int without = rows(neighborhood, false);
        return new AuditCase(
                heightAudit(
                        ServedMechanisms.sumAndCountMean("1", heights(neighborhood)), neighborhood, MIDDLE_AND_A_HALF),
                () -> new AuditCase.Probabilities(
                        ratioAtLeast(sumScale, countScale, LOW * without, without, MIDDLE_AND_A_HALF),
                        ratioAtLeast(sumScale, countScale, HIGH * m, m, MIDDLE_AND_A_HALF)));
    }

    /**
     * Means at the upper end. The sum, in half steps, has three quarters of epsilon, or all of it where the count is
     * public.
     */
    static AuditCase centeredMean(Neighborhood neighborhood) {
        return new AuditCase(
                heightAudit(ServedMechanisms.centeredMean("1", heights(neighborhood)), neighborhood, HIGH),
                () -> new AuditCase.Probabilities(
                        centeredAtTheEnd(neighborhood, false), centeredAtTheEnd(neighborhood, true)));
    }

    /** One row of 150 becomes three of 200, epsilon 1: means at the upper end. */
    static AuditCase centeredMeanOfAGrowingUnit() {
        Neighborhood upToThree = SmallData.replaceUnit(3);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.centeredMean("1", heights(upToThree)),
                        SmallData.ONE_COLUMN,
                        new Pair(SmallData.rows(LOW), SmallData.repeated(3, HIGH)),
                        answer -> answer.meanSteps().compareTo(BigDecimal.valueOf(HIGH)) >= 0),
                () -> new AuditCase.Probabilities(
                        centeredAtTheEnd(upToThree, false, 1), centeredAtTheEnd(upToThree, true, 3)));
    }

    private static double centeredAtTheEnd(Neighborhood neighborhood, boolean withUnit) {
        return centeredAtTheEnd(neighborhood, withUnit, rows(neighborhood, withUnit));
    }

    /** @param withUnit whether each of the rows is 200; otherwise each is 150 */
    private static double centeredAtTheEnd(Neighborhood neighborhood, boolean withUnit, int rows) {
        long width = HIGH - LOW;
        int m = neighborhood.unit().maxRows();
        // Each row is 2·x − 350 in half steps: the width above 0, or below it.
        long sum = withUnit ? width * rows : -width * rows;
        if (neighborhood.hasPublicRowCount()) {
            return new DiscreteLaplacePmf(2 * width).atLeast(width * rows - sum);
        }
        long moved = neighborhood.relation() == NeighboringRelation.REPLACE_ONE ? 2 * width * m : width * m;
        DiscreteLaplacePmf sumNoise = new DiscreteLaplacePmf(moved / 0.75);
        DiscreteLaplacePmf countNoise = new DiscreteLaplacePmf(4 * m);
        double total = 0;
        for (long noise = -300L * m; noise <= 300L * m; noise++) {
            // mid + S / (2·max(1, N)) >= mid + width / 2
            total += countNoise.probability(noise) * sumNoise.atLeast(width * Math.max(1, rows + noise) - sum);
        }
        return total;
    }

    /**
     * A unit of rows of 10 in [0, 10] against no unit or rows of 0, epsilon 1. The event is a mean at the upper end
     * and, where the number of rows is released, at least the unit's number of rows.
     */
    static AuditCase twoSidedMean(Neighborhood neighborhood) {
        return twoSidedMean(
                neighborhood,
                ServedMechanisms.twoSidedMean("1", ten(neighborhood)),
                new DiscreteLaplacePmf(10 * moved(neighborhood)),
                1);
    }

    /** The same mean with Gaussian noise of rho 0.462, and at least the rows of two units. */
    static AuditCase gaussianTwoSidedMean(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        double squaredL2 = 100.0 * m * moved(neighborhood);
        return twoSidedMean(
                neighborhood,
                ServedMechanisms.gaussianTwoSidedMean(ten(neighborhood)),
                new DiscreteGaussianPmf(squaredL2 / (2 * Math.tanh(0.5))),
                2);
    }

    private static MeanTarget ten(Neighborhood neighborhood) {
        return new MeanTarget(0, false, 0, 10, neighborhood);
    }

    /** The number of rows that a unit takes out and puts in; one where the number of rows is public. */
    private static int moved(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        return neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE || neighborhood.hasPublicRowCount()
                ? m
                : 2 * m;
    }

    private static AuditCase twoSidedMean(Neighborhood neighborhood, TwoSidedMean mean, NoisePmf noise, int units) {
        int m = neighborhood.unit().maxRows();
        int without = rows(neighborhood, false);
        BigDecimal fewest = BigDecimal.valueOf((long) units * m);
        // A single sum is far from its value for rows at the upper end only if there is a row at the lower end.
        List<long[]> common = neighborhood.hasPublicRowCount() ? SmallData.rows(0) : List.of();
        return new AuditCase(
                new Audit<>(
                        mean,
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, common, new long[] {0}, new long[] {10}),
                        answer -> answer.meanSteps().compareTo(BigDecimal.TEN) >= 0
                                && (answer.count() == null
                                        || answer.count().value().compareTo(fewest) >= 0)),
                () -> new AuditCase.Probabilities(
                        atTheUpperEnd(noise, neighborhood, 0, 10L * without, 10L * units * m - 5),
                        atTheUpperEnd(noise, neighborhood, 10L * m, 0, 10L * units * m - 5)));
    }

    /**
     * P(A + X >= least − (B + Y) and B + Y <= 0). Where the number of rows is public, P(X >= B) with a row of 0 more.
     */
    private static double atTheUpperEnd(NoisePmf noise, Neighborhood neighborhood, long a, long b, long least) {
        if (neighborhood.hasPublicRowCount()) {
            return noise.atLeast(b + 10);
        }
        double total = 0;
        for (long second = -2_000; second <= 0; second++) {
            total += noise.probability(second - b) * noise.atLeast(least - second - a);
        }
        return total;
    }

    /** Two rows over [0, 100] with the count public, epsilon 1/2: {0, 0} against {0, 100}, means of at most 0. */
    static AuditCase knownCountMean(Neighborhood neighborhood) {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(200);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.knownCountMean("0.5", new MeanTarget(0, false, 0, 100, neighborhood)),
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, SmallData.rows(0), new long[] {0}, new long[] {100}),
                        answer -> answer.meanSteps().signum() <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(0), noise.atMost(-100)));
    }

    /** Ten rows over [0, 1], all of 0 or one of 1, epsilon 1: means of at most 0.005. */
    static AuditCase knownCountMeanNearTheEnd() {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(1_000);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.knownCountMean("1", new MeanTarget(0, false, 0, 1_000, SmallData.REPLACE_ROW)),
                        SmallData.ONE_COLUMN,
                        Pair.of(SmallData.REPLACE_ROW, SmallData.repeated(9, 0), new long[] {0}, new long[] {1_000}),
                        answer -> answer.meanSteps().compareTo(BigDecimal.valueOf(5)) <= 0),
                () -> new AuditCase.Probabilities(noise.atMost(50), noise.atMost(-950)));
    }

    /** {0} against {0, 1} over [0, 1], answers strictly inside. There should be no answer, as the count is private. */
    static AuditCase knownCountMeanWhereRowsAreAdded(String epsilon) {
        MeanTarget added = new MeanTarget(0, false, 0, 10_000, SmallData.ADD_OR_REMOVE_ROW);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.knownCountMean(epsilon, added),
                        SmallData.ONE_COLUMN,
                        Pair.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.rows(0), new long[0], new long[] {10_000}),
                        answer -> answer.meanSteps().signum() > 0
                                && answer.meanSteps().compareTo(BigDecimal.valueOf(10_000)) < 0),
                () -> new AuditCase.Probabilities(0, 0));
    }

    /** {0, 0} against {0, 1} over [0, 1] by Harmony, epsilon 1: both signs are minus. */
    static AuditCase localMean(Neighborhood neighborhood) {
        double kept = 1 / (1 + Math.exp(-1));
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.localMean(
                                "1", LocalMean.Protocol.HARMONY, new MeanTarget(0, false, 0, 1, neighborhood)),
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, SmallData.rows(0), new long[] {0}, new long[] {1}),
                        answer -> answer.meanSteps().signum() <= 0),
                () -> new AuditCase.Probabilities(kept * kept, kept * (1 - kept)));
    }

    /** {0} against {1} over [0, 1] by Hybrid, epsilon 2: the sign is plus, or the point in the band of 1. */
    static AuditCase localMeanOfOneRow() {
        double signs = Math.exp(-1);
        double kept = 1 / (1 + Math.exp(-2));
        // Of 65536 points, the band takes 1/(e^(ε/2) + 1), each of its points e^ε times as probable as another.
        double band = 1 / (Math.E + 1);
        double inBand = band / (band + (1 - band) * Math.exp(-2));
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.localMean(
                                "2", LocalMean.Protocol.HYBRID, new MeanTarget(0, false, 0, 1, SmallData.REPLACE_ROW)),
                        SmallData.ONE_COLUMN,
                        Pair.of(SmallData.REPLACE_ROW, List.of(), new long[] {0}, new long[] {1}),
                        answer -> answer.meanSteps().compareTo(BigDecimal.ONE) >= 0),
                () -> new AuditCase.Probabilities(
                        signs * (1 - kept) + (1 - signs) * inBand * Math.exp(-2), signs * kept + (1 - signs) * inBand));
    }

    /** {0} against {0, 1} over [0, 1]: all signs are minus. There should be no answer, as the count is private. */
    static AuditCase localMeanWhereRowsAreAdded() {
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.localMean(
                                "1",
                                LocalMean.Protocol.HARMONY,
                                new MeanTarget(0, false, 0, 1, SmallData.ADD_OR_REMOVE_ROW)),
                        SmallData.ONE_COLUMN,
                        Pair.of(SmallData.ADD_OR_REMOVE_ROW, SmallData.rows(0), new long[0], new long[] {1}),
                        answer -> answer.meanSteps().signum() <= 0),
                () -> new AuditCase.Probabilities(0, 0));
    }

    // [0, 1000] at epsilon 2: a unit of rows of 1000 against no unit or a unit of rows of 0. The event is that the
    // search passes the first candidate and the mean lies at the bound that was found. It needs both the search and the
    // pair of sums.
    static AuditCase autoClipMean(Neighborhood neighborhood) {
        MeanTarget target = new MeanTarget(0, false, 0, 1_000, neighborhood);
        List<Long> candidates = ClipSearch.distances(1_000);
        return new AuditCase(
                new Audit<>(
                        ServedMechanisms.autoClipMean("2", target),
                        SmallData.ONE_COLUMN,
                        Pair.of(neighborhood, List.of(), new long[] {0}, new long[] {1_000}),
                        answer -> answer.clipUpperSteps() >= candidates.get(1)
                                && answer.meanSteps().compareTo(BigDecimal.valueOf(answer.clipUpperSteps())) >= 0),
                () -> new AuditCase.Probabilities(
                        atTheBoundFound(neighborhood, false), atTheBoundFound(neighborhood, true)));
    }

    private static double atTheBoundFound(Neighborhood neighborhood, boolean withUnit) {
        int m = neighborhood.unit().maxRows();
        boolean publicCount = neighborhood.hasPublicRowCount();
        int rows = rows(neighborhood, withUnit);
        int beyond = withUnit ? m : 0;
        ExactTranscripts search = searchAtAFifth(neighborhood);
        List<Long> candidates = ClipSearch.distances(1_000);
        double total = 0;
        for (int stop = 1; stop < candidates.size(); stop++) {
            long bound = candidates.get(stop);
            List<ExactTranscripts.Step> none = List.of(ExactTranscripts.below(10 - beyond, stop));
            List<ExactTranscripts.Step> found = new ArrayList<>(none);
            found.add(ExactTranscripts.above(10 - beyond));
            // If the search does not call the last candidate either, it keeps this candidate.
            double stops = search.probability(stop == candidates.size() - 1 ? none : found);
            // The pair of sums has four fifths of epsilon. The mean is the bound itself if the sum from above is not
            // above zero.
            DiscreteLaplacePmf noise = new DiscreteLaplacePmf(moved(neighborhood) * bound / 1.6);
            total += stops * atTheBound(noise, publicCount, bound * beyond, bound * (rows - beyond));
        }
        return total;
    }

    private static double atTheBound(DiscreteLaplacePmf noise, boolean publicCount, long a, long b) {
        if (publicCount) {
            return noise.atLeast(b);
        }
        double total = 0;
        for (long second = -40_000; second <= 0; second++) {
            total += noise.probability(second - b) * noise.atLeast(1 - second - a);
        }
        return total;
    }

    /**
     * A list of minus counts beyond an edge is monotone, unless units of several rows are replaced. Then epsilon is
     * split 1 : 2^(2/3).
     */
    private static ExactTranscripts searchAtAFifth(Neighborhood neighborhood) {
        int m = neighborhood.unit().maxRows();
        boolean monotone =
                neighborhood.relation() == NeighboringRelation.ADD_OR_REMOVE_ONE || neighborhood.hasPublicRowCount();
        double forThreshold = monotone ? 0.2 : 0.4 / (1 + Math.floor(1_024 * Math.pow(2, 2.0 / 3)) / 1_024);
        return new ExactTranscripts(m / forThreshold, (monotone ? 1 : 2) * m / (0.4 - forThreshold), false);
    }
}
