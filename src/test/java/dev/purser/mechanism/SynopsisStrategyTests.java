package dev.purser.mechanism;

import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Which tables are measured, with which shares, and how close their errors are to the least possible ones. */
class SynopsisStrategyTests {
    /** The numbers of cells of Adult's 14 columns, and of the columns of adult.csv. */
    private static final List<Integer> ADULT = List.of(100, 100, 100, 99, 85, 42, 16, 15, 9, 7, 6, 5, 2, 2);

    private static final List<Integer> ADULT_FILE = List.of(126, 9, 16, 7, 15, 6, 5, 2, 101, 42, 2);

    /** Strategies of every kind. */
    static final List<Strategy> STRATEGIES = List.of(
            RangeTrees.of(List.of(1), false),
            RangeTrees.of(List.of(100), false),
            RangeTrees.of(List.of(2_048), false),
            RangeTrees.of(List.of(1_000_000), false),
            RangeTrees.of(List.of(30, 17), false),
            RangeTrees.of(List.of(1, 500), false),
            Marginals.of(ADULT, 1),
            Marginals.of(ADULT, 2),
            Marginals.of(ADULT_FILE, 3),
            Marginals.of(List.of(1, 1, 3), 2),
            Marginals.of(List.of(4, 4, 4), 3));

    /** The precision of the noise of each table. Gaussian variances of 1/share have rho ½ for all tables together. */
    private static Precision precision(Strategy strategy, boolean laplace) {
        OptimalShares shares = OptimalShares.of(strategy, laplace);
        return new Precision(
                strategy.columns(),
                IntStream.range(0, shares.tables().size())
                        .mapToObj(i -> SynopsisShapes.measurement(
                                shares.tables().get(i),
                                laplace
                                        ? 1 / shares.shares().get(i)
                                        : Math.sqrt(1 / shares.shares().get(i)),
                                laplace))
                        .toList());
    }

    private static double rms(Strategy strategy, Precision precision) {
        return Math.sqrt(strategy.workload().entrySet().stream()
                .mapToDouble(each -> each.getValue() / precision.of(each.getKey()))
                .sum());
    }

    @ParameterizedTest
    @CsvSource({"256, 3.436", "1024, 4.249", "2048, 4.657"})
    void rangesUnderRhoHaveTheErrorsOfABinaryTreeWithTheBestShares(int cells, double rms) {
        Strategy strategy = RangeTrees.of(List.of(cells), false);
        assertThat(rms(strategy, precision(strategy, false))).isCloseTo(rms, within(0.0015));
    }

    @ParameterizedTest
    @CsvSource({"256, 9.162", "1024, 12.687", "2048, 14.699"})
    void rangesUnderEpsilonHaveNoLargerErrorsThanATreeOfBaseSixteen(int cells, double most) {
        Strategy strategy = RangeTrees.of(List.of(cells), true);
        assertThat(rms(strategy, precision(strategy, true))).isBetween(0.9 * most, most);
    }

    /** All ranges, by the inverse of the whole matrix, also where the number of cells is no power of the branching. */
    @ParameterizedTest
    @CsvSource({"256, true", "256, false", "100, true", "100, false", "18, true"})
    void theMeanErrorOfAllRangesIsThatOfTheInverse(int cells, boolean laplace) {
        Strategy strategy = RangeTrees.of(List.of(cells), laplace);
        Precision precision = precision(strategy, laplace);
        Hierarchy column = strategy.columns().getFirst();
        int all = column.widths().getLast();
        double[][] normal = new double[all][all];
        for (Precision.Measurement table : precision.measured()) {
            int width = column.width(table.grain().level(0));
            for (int i = 0; i < all; i++) {
                for (int j = i / width * width; j < (i / width + 1) * width; j++) {
                    normal[i][j] += 1 / table.variance();
                }
            }
        }
        RealMatrix covariance = new CholeskyDecomposition(new Array2DRowRealMatrix(normal))
                .getSolver()
                .getInverse();
        double sum = 0;
        double worst = 0;
        for (int from = 0; from < cells; from++) {
            double[] ofRange = new double[all];
            double variance = 0;
            for (int to = from; to < cells; to++) {
                variance += 2 * ofRange[to] + covariance.getEntry(to, to);
                for (int i = to + 1; i < cells; i++) {
                    ofRange[i] += covariance.getEntry(to, i);
                }
                sum += variance;
                worst = Math.max(worst, variance);
            }
        }
        double ranges = cells * (cells + 1) / 2.0;
        assertThat(rms(strategy, precision)).isCloseTo(Math.sqrt(sum / ranges), within(1e-6));
        assertThat(strategy.worstVariance(precision)).isBetween(worst * (1 - 1e-9), 3 * worst);
    }

    @ParameterizedTest
    @CsvSource({"1, 3.0468, 1.012", "2, 6.3587, 1.03", "3, 10.5153, 1.04"})
    void tablesOfAdultAreNearlyAsPreciseAsAnyNoisyResiduals(int together, double optimum, double most) {
        assertNearOptimum(ADULT, together, optimum, most);
    }

    @ParameterizedTest
    @CsvSource({"1, 2.5446, 1.016", "2, 4.5473, 1.04"})
    void tablesOfTheFileAreNearlyAsPreciseAsAnyNoisyResiduals(int together, double optimum, double most) {
        assertNearOptimum(ADULT_FILE, together, optimum, most);
    }

    /** Both by formulas over sets of columns, as bits: for residuals with any real noise, and for whole tables. */
    private static void assertNearOptimum(List<Integer> cells, int together, double optimum, double most) {
        Strategy strategy = Marginals.of(cells, together);
        OptimalShares shares = OptimalShares.of(strategy, false);
        Map<Integer, Double> wanted = new HashMap<>();
        Map<Integer, Double> precisions = new HashMap<>();
        double all = 0;
        for (int i = 0; i < shares.tables().size(); i++) {
            int table = bits(shares.tables().get(i).divided(strategy.columns()));
            double ofTable = product(cells, table, n -> n);
            all += ofTable;
            for (int set = table; set >= 0; set = set == 0 ? -1 : (set - 1) & table) {
                double others = product(cells, table & ~set, n -> 1.0 / n);
                wanted.merge(set, ofTable * product(cells, set, n -> (n - 1.0) / n) * others * others, Double::sum);
                precisions.merge(set, shares.shares().get(i) * others, Double::sum);
            }
        }
        double best = 0;
        double tables = 0;
        for (Map.Entry<Integer, Double> each : wanted.entrySet()) {
            best += Math.sqrt(each.getValue() * product(cells, each.getKey(), n -> (n - 1.0) / n));
            tables += each.getValue() / precisions.getOrDefault(each.getKey(), 0.0);
        }
        best = Math.sqrt(best * best / all);
        assertThat(best).isCloseTo(optimum, within(1e-4));
        assertThat(Math.sqrt(tables / all)).isBetween(best, most * best);
        assertThat(rms(strategy, precision(strategy, false))).isCloseTo(Math.sqrt(tables / all), Offset.offset(1e-9));
    }

    private static int bits(List<Integer> columns) {
        return columns.stream().mapToInt(column -> 1 << column).sum();
    }

    private static double product(List<Integer> cells, int set, IntToDoubleFunction factor) {
        return IntStream.range(0, cells.size())
                .filter(column -> (set >> column & 1) == 1)
                .mapToDouble(column -> factor.applyAsDouble(cells.get(column)))
                .reduce(1, (one, other) -> one * other);
    }

    /**
     * Under Gaussian noise the mean variance f of shares e is convex, and Σ e·g = f for g = −∂f/∂e. No shares have less
     * than f + Σ (−g)·(e* − e), which is 2f − max g at least.
     */
    @ParameterizedTest
    @FieldSource("STRATEGIES")
    void sharesOfRhoAreWithinAThousandthOfTheBest(Strategy strategy) {
        OptimalShares shares = OptimalShares.of(strategy, false);
        Map<Grain, Double> precisions = new HashMap<>();
        for (int i = 0; i < shares.tables().size(); i++) {
            Grain table = shares.tables().get(i);
            double own = shares.shares().get(i) / table.nodes(strategy.columns());
            table.coarser(strategy.columns()).forEach(grain -> precisions.merge(grain, own, Double::sum));
        }
        double variance = strategy.workload().entrySet().stream()
                .mapToDouble(each -> each.getValue() / precisions.getOrDefault(each.getKey(), 0.0))
                .sum();
        double steepest = strategy.candidates().stream()
                .mapToDouble(table -> table.coarser(strategy.columns()).stream()
                                .mapToDouble(grain -> strategy.workload().getOrDefault(grain, 0.0)
                                        / Math.pow(precisions.getOrDefault(grain, 0.0), 2))
                                .sum()
                        / table.nodes(strategy.columns()))
                .max()
                .orElseThrow();
        assertThat(shares.shares().stream().mapToDouble(share -> share).sum()).isCloseTo(1, within(1e-9));
        assertThat((steepest - variance) / variance).isLessThan(1e-3);
    }

    /** The error is not convex here. It is compared with many other shares, of all candidates or of some. */
    @ParameterizedTest
    @ValueSource(ints = {18, 64, 300, 5_000})
    void noOtherSharesOfEpsilonThatAreTriedAreBetter(int cells) {

        Strategy strategy = RangeTrees.of(List.of(cells), true);
        double best = continuous(strategy, OptimalShares.of(strategy, true));
        SplittableRandom random = new SplittableRandom(cells);
        for (int i = 0; i < 2_000; i++) {
            double[] tried = strategy.candidates().stream()
                    .mapToDouble(table ->
                            table.level(0) > 0 && random.nextInt(4) == 0 ? 0 : -Math.log(1 - random.nextDouble()))
                    .toArray();
            double all = Arrays.stream(tried).sum();
            OptimalShares other = new OptimalShares(
                    strategy.candidates(),
                    Arrays.stream(tried).mapToObj(share -> share / all).toList());
            assertThat(continuous(strategy, other)).isGreaterThan(best * (1 - 1e-3));
        }
    }

    /** The error with the variance of continuous Laplace noise, for which shares are computed. */
    private static double continuous(Strategy strategy, OptimalShares shares) {
        List<Precision.Measurement> measured = IntStream.range(
                        0, shares.tables().size())
                .filter(i -> shares.shares().get(i) > 0)
                .mapToObj(i -> new Precision.Measurement(
                        shares.tables().get(i), 2 / Math.pow(shares.shares().get(i), 2), 0))
                .toList();
        return rms(strategy, new Precision(strategy.columns(), measured));
    }

    @Test
    void everyWantedTableIsMeasuredHoweverSmall() {
        Strategy strategy = Marginals.of(List.of(1_000_000, 1_000_000, 1_000_000, 1_000_000, 2), 1);
        for (boolean laplace : new boolean[] {true, false}) {
            assertThat(OptimalShares.of(strategy, laplace).tables()).isEqualTo(strategy.candidates());
        }
        PrivacyAllowance allowance = new PrivacyAllowance.Concentrated(Epsilon.parse("1"));
        NoisySynopsis synopsis = new NoisySynopsis(
                allowance,
                NoisySynopsis.Plan.ofMarginals(List.of(1_000_000, 1_000_000, 1_000_000, 1_000_000, 2), 1),
                NoisySynopsis.Contents.counts(false),
                SmallData.REPLACE_ROW);
        assertThat(synopsis.rms()).isFinite();
    }

    /** The flat table is better than the tree at which the rule alone would end. */
    @Test
    void fewerTablesAreMeasuredUnderEpsilonWhereThatIsBetter() {
        assertThat(OptimalShares.of(RangeTrees.of(List.of(18), true), true).shares())
                .containsExactly(1.0);
        OptimalShares boxes = OptimalShares.of(RangeTrees.of(List.of(1_000, 1_000), true), true);
        assertThat(boxes.shares()).allMatch(share -> share > 1e-4);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 101", "3, 18", "9, 42", "16, 126", "17, 17", "100, 100", "30, 1000"})
    void boxesHaveNoLargerErrorsThanAFlatGrid(int one, int other) {
        for (boolean laplace : new boolean[] {true, false}) {
            RangeTrees strategy = RangeTrees.of(List.of(one, other), laplace);
            Grain cells = Grain.cellsOf(strategy.columns(), List.of(0, 1));
            double ofGrid =
                    rms(strategy, continuous(strategy, new OptimalShares(List.of(cells), List.of(1.0)), laplace));
            double own = rms(strategy, continuous(strategy, OptimalShares.of(strategy, laplace), laplace));
            assertThat(own).as("laplace %s", laplace).isLessThanOrEqualTo(ofGrid * 1.0001);
        }
    }

    /** The precision as if noise were continuous, so that nothing depends on the allowance. */
    private static Precision continuous(Strategy strategy, OptimalShares shares, boolean laplace) {
        return new Precision(
                strategy.columns(),
                IntStream.range(0, shares.tables().size())
                        .mapToObj(i -> new Precision.Measurement(
                                shares.tables().get(i), Math.pow(shares.shares().get(i), laplace ? -2 : -1), 0))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 17, 18, 255, 256, 257, 4_097, 1_000_000})
    void treesHaveFewMoreCellsThanThereAre(int cells) {
        for (int branching : new int[] {2, 16}) {
            Hierarchy tree = Hierarchy.tree(cells, branching);
            assertThat(tree.nodes(tree.top())).isEqualTo(1);
            assertThat(tree.nodes(0)).isBetween(cells, Math.max(cells, 2 * cells - 1));
            for (int level = 0; level < tree.top(); level++) {
                assertThat(tree.branching(level)).isBetween(2, branching + 1);
            }
        }
    }
}
