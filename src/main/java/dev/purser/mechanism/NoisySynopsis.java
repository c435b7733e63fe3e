package dev.purser.mechanism;

import dev.purser.noise.Rational;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A synopsis: tables of counts, or of sums, over the cells of some columns. All their nodes are released with noise,
 * and answer every further question as post-processing.
 *
 * <p>Guarantee: the allowance it is built for, for all tables together, under the neighbouring relation and privacy
 * unit it is built with. Condition: cells, filter and bounds are public, and a row is in one cell at most. Which tables
 * are measured, and their shares of the allowance, follow from public facts alone. Empty nodes get noise like all other
 * nodes. Argument in {@code NoisySynopsis.md}. Source: Hay et al. 2010; Xiao et al. 2023.
 */
public final class NoisySynopsis implements Refinable<NoisySynopsis.Answer> {
    /** Far above any count or sum that is measured: {@link Contents#fits}. Two of them can be added. */
    private static final long MOST = (1L << 62) - 1;

    private static final long SHARE_UNITS = 1_000_000_000;

    private final PrivacyAllowance allowance;
    private final Contents contents;
    private final Calibrated calibrated;

    /**
     * What the cells hold.
     *
     * @param filtered whether a filter, or cells that leave values out, can leave out rows
     * @param least the least term of a row: 1 where rows are counted
     * @param greatest the greatest term of a row
     */
    public record Contents(boolean filtered, long least, long greatest) {
        /** Numbers of rows. */
        public static Contents counts(boolean filtered) {
            return new Contents(filtered, 1, 1);
        }

        boolean areCounts() {
            return least == 1 && greatest == 1;
        }

        /** Whether every sum of {@code rows} rows is far below the largest integer that is kept. */
        public boolean fits(long rows) {
            return BigInteger.valueOf(Math.max(Math.abs(least), Math.abs(greatest)))
                            .multiply(BigInteger.valueOf(rows))
                            .bitLength()
                    < 60;
        }

        private GroupSensitivity sensitivity(Neighborhood neighborhood) {
            // This is computed as if there were several groups, and as if values that are all 0 could be 1. Every
            // weight is then finite.
            BigInteger most = BigInteger.valueOf(least == 0 ? Math.max(1, greatest) : greatest);
            return GroupSensitivity.of(neighborhood, filtered, 2, BigInteger.valueOf(least), most);
        }

        private Statistic statistic(int table) {
            return areCounts()
                    ? Statistic.Count.ofAll(table, filtered)
                    : new Statistic.ClampedSum(table, filtered, least, greatest);
        }
    }

    /** A strategy with the noise of each table that it measures. */
    private record Calibrated(Strategy strategy, List<Table> tables) {
        Precision precision() {
            return new Precision(
                    strategy.columns(), tables.stream().map(Table::measurement).toList());
        }

        double meanVariance() {
            Precision precision = precision();
            return strategy.workload().entrySet().stream()
                    .mapToDouble(each -> each.getValue() / precision.of(each.getKey()))
                    .sum();
        }
    }

    /** A measured table, its share of the allowance and its noise. */
    record Table(Grain grain, PrivacyShare share, AdditiveNoise noise) {
        Precision.Measurement measurement() {
            return Precision.Measurement.of(grain, noise.spread().doubleValue(), noise.isPure());
        }
    }

    /**
     * Chooses the strategy with the smaller mean variance.
     *
     * @param strategies a strategy for Laplace noise and a strategy for Gaussian noise
     */
    public NoisySynopsis(PrivacyAllowance allowance, Plan strategies, Contents contents, Neighborhood neighborhood) {
        this.allowance = allowance;
        this.contents = contents;
        GroupSensitivity sensitivity = contents.sensitivity(neighborhood);
        Calibrated pure = strategies.pure.calibrated(
                PrivacyShare.ofEpsilon(allowance, strategies.pure.claims()),
                share -> AdditiveNoise.laplace(sensitivity.l1(), share.epsilon()));
        calibrated = Optional.of(allowance)
                .flatMap(each -> PrivacyShare.ofRho(each, strategies.gaussian.claims()))
                .map(shares -> strategies.gaussian.calibrated(
                        shares, share -> AdditiveNoise.gaussian(sensitivity.squaredL2(), share.rho())))
                .filter(gaussian -> gaussian.meanVariance() < pure.meanVariance())
                .orElse(pure);
    }

    /** The strategies for both kinds of noise, with the shares of their tables. They take long to find. */
    public record Plan(Shared pure, Shared gaussian) {
        /**
         * A plan for ranges of one or two columns. For more columns it is a plan for the cells of their one table.
         *
         * @param cells the number of cells of each column
         */
        public static Plan ofRanges(List<Integer> cells) {
            return cells.size() <= 2
                    ? new Plan(
                            Shared.of(RangeTrees.of(cells, true), true), Shared.of(RangeTrees.of(cells, false), false))
                    : ofMarginals(cells, cells.size());
        }

        /** A plan for all tables of {@code together} of the columns. */
        public static Plan ofMarginals(List<Integer> cells, int together) {
            Marginals marginals = Marginals.of(cells, Math.min(together, cells.size()));
            return new Plan(Shared.of(marginals, true), Shared.of(marginals, false));
        }

        /** The largest number of tables that have a share. */
        public int tables() {
            return Math.max(
                    pure.optimal().tables().size(), gaussian.optimal().tables().size());
        }
    }

    /** A strategy with the shares of its tables. */
    record Shared(Strategy strategy, OptimalShares optimal) {
        static Shared of(Strategy strategy, boolean isPure) {
            return new Shared(strategy, OptimalShares.of(strategy, isPure));
        }

        private List<Rational> claims() {
            return optimal.shares().stream()
                    .map(share -> Rational.of(Math.max(1, Math.round(share * SHARE_UNITS)), 1))
                    .toList();
        }

        private Calibrated calibrated(List<PrivacyShare> own, Function<PrivacyShare, AdditiveNoise> noise) {
            return new Calibrated(
                    strategy,
                    IntStream.range(0, own.size())
                            .mapToObj(i -> new Table(optimal.tables().get(i), own.get(i), noise.apply(own.get(i))))
                            .toList());
        }
    }

    @Override
    public boolean usesDelta() {
        return !isPure();
    }

    private boolean isPure() {
        return calibrated.tables().stream().allMatch(table -> table.noise().isPure());
    }

    @Override
    public Description description() {
        return new Description(
                        isPure() ? "laplace-synopsis" : "gaussian-synopsis",
                        isPure() ? Description.DISCRETE_LAPLACE : Description.DISCRETE_GAUSSIAN,
                        Map.of())
                .with("strategy", calibrated.strategy().name());
    }

    @Override
    public List<Statistic> statistics() {
        return IntStream.range(0, calibrated.strategy().collected().size())
                .mapToObj(contents::statistic)
                .toList();
    }

    @Override
    public long workload() {
        return calibrated.tables().stream()
                .mapToLong(table -> table.grain().nodes(calibrated.strategy().columns()))
                .sum();
    }

    @Override
    public PrivacyEvent event() {
        return PrivacyShare.event(allowance, isPure());
    }

    /** Whether all its noise is Gaussian, so that two such synopses can be combined. */
    public boolean isGaussian() {
        return calibrated.tables().stream().noneMatch(table -> table.noise().isPure());
    }

    /** The name of the strategy. */
    public String strategy() {
        return calibrated.strategy().name();
    }

    public List<Hierarchy> columns() {
        return calibrated.strategy().columns();
    }

    /** For each table that is collected, the columns that it divides, in the order of {@link #statistics}. */
    public List<List<Integer>> collected() {
        return calibrated.strategy().collected().stream()
                .map(grain -> grain.divided(columns()))
                .toList();
    }

    /** The precision of all questions about the answer. */
    public Precision precision() {
        return calibrated.precision();
    }

    /** The root of the mean variance of the questions that the synopsis is bought for. */
    public double rms() {
        return Math.sqrt(calibrated.meanVariance());
    }

    /** An upper bound on the standard deviation of each of these questions. */
    public double worst() {
        return Math.sqrt(calibrated.strategy().worstVariance(precision()));
    }

    /** A bound that the error of each of these questions exceeds with probability {@code beta} at most. */
    public double bound(double beta) {
        double variance = calibrated.strategy().worstVariance(precision());
        if (!isPure()) {
            return TailBound.gaussian(variance, beta);
        }
        // One Laplace noise that has the whole variance has the heaviest tail.
        double ofLaplace = variance * precision().laplaceExcess();
        return TailBound.laplace(ofLaplace, Math.sqrt(ofLaplace / 2), beta);
    }

    /** Whether it was bought for ranges, and not for single cells. */
    public boolean isForRanges() {
        return calibrated.strategy() instanceof RangeTrees;
    }

    /**
     * A measured table as answers state it.
     *
     * @param divided the columns that it divides
     * @param widths how many cells of each of these columns a node has
     * @param epsilon its share of epsilon; null if it has a share of rho
     * @param spread the scale of Laplace noise or the standard deviation of Gaussian noise, in grid steps
     */
    public record Stated(
            List<Integer> divided,
            List<Integer> widths,
            long nodes,
            @Nullable String epsilon,
            @Nullable Rho rho,
            BigDecimal spread) {}

    /** The measured tables, in the order of the answer. */
    public List<Stated> tables() {
        return calibrated.tables().stream().map(this::stated).toList();
    }

    private Stated stated(Table table) {
        List<Integer> divided = table.grain().divided(columns());
        boolean byEpsilon = table.noise().isPure();
        return new Stated(
                divided,
                divided.stream()
                        .map(column -> columns().get(column).width(table.grain().level(column)))
                        .toList(),
                table.grain().nodes(columns()),
                byEpsilon ? ExactArithmetic.display(table.share().epsilon()).toPlainString() : null,
                byEpsilon ? null : table.share().rho(),
                ExactArithmetic.display(table.noise().spread()));
    }

    /**
     * A released synopsis.
     *
     * @param tables the noisy nodes of each measured table; the nodes of the last column change fastest
     */
    public record Answer(List<long[]> tables) {}

    @Override
    public Stream<AdditiveNoise> noises() {
        return calibrated.tables().stream().map(Table::noise);
    }

    @Override
    public Answer release(Sensitive<List<Buckets>> exact, IntegerRelease release) {
        return new Answer(measured(exact.open(), release));
    }

    /** All that is released. */
    List<long[]> measured(List<Buckets> collected, IntegerRelease release) {
        List<long[]> noisy = new ArrayList<>();
        Map<Grain, Integer> sources = sources();
        int source = -1;
        long[] exact = {};
        for (Table table : calibrated.tables()) {
            int own = Objects.requireNonNull(sources.get(table.grain()));
            if (source != own) {
                source = own;
                exact = exactCells(collected.get(source));
            }
            // Only noise leads beyond the bounds, and cutting off such a number is post-processing.
            noisy.add(release.noisy(summed(exact, source, table.grain()), table.noise(), MOST));
        }
        return noisy;
    }

    private long[] exactCells(Buckets cells) {
        Statistic statistic = contents.statistic(0);
        return IntStream.range(0, cells.groups())
                .mapToLong(cell -> IntegerRelease.cut(statistic.of(List.of(cells.group(cell))), MOST))
                .toArray();
    }

    /** For each grain, the first collected table whose cells add up to its nodes. */
    private Map<Grain, Integer> sources() {
        List<Grain> collected = calibrated.strategy().collected();
        Map<Grain, Integer> sources = new HashMap<>();
        for (int i = 0; i < collected.size(); i++) {
            for (Grain sum : collected.get(i).coarser(columns())) {
                sources.putIfAbsent(sum, i);
            }
        }
        return sources;
    }

    /** Adds each collected cell to its node. A sum that is cut off moves no further than an exact sum. */
    private long[] summed(long[] cells, int source, Grain table) {
        List<Integer> divided = calibrated.strategy().collected().get(source).divided(columns());
        long[] nodes = new long[Math.toIntExact(table.nodes(columns()))];
        for (int cell = 0; cell < cells.length; cell++) {
            int rest = cell;
            int node = 0;
            int step = 1;
            for (int column : divided.reversed()) {
                Hierarchy hierarchy = columns().get(column);
                int level = table.level(column);
                node += rest % hierarchy.cells() / hierarchy.width(level) * step;
                step *= hierarchy.nodes(level);
                rest /= hierarchy.cells();
            }
            nodes[node] = Math.clamp(nodes[node] + cells[cell], -MOST, MOST);
        }
        return nodes;
    }
}
