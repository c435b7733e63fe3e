package dev.purser.mechanism;

import dev.purser.lab.Figure;
import dev.purser.lab.Figure.Point;
import dev.purser.noise.RandomBits;
import dev.purser.noise.SecureBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import dev.purser.privacy.NeighboringRelation;
import dev.purser.privacy.PrivacyAllowance;
import dev.purser.privacy.PrivacyUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Compares the errors of synopses with the errors of other ways to the same answers, and writes the tables into {@code
 * docs/performance.md}. All errors are exact standard errors for one row of a unit, except the error of the simulated
 * purchase.
 */
public final class SynopsisComparison {
    private static final Path PAGE = Path.of("docs/performance.md");
    private static final String BEGIN = "<!-- measured: synopsis errors -->\n";
    private static final String END = "<!-- end -->";
    private static final int CELLS = 2_048;

    private static final List<Integer> LITERATURE = List.of(100, 100, 100, 99, 85, 42, 16, 15, 9, 7, 6, 5, 2, 2);
    private static final List<Integer> ADULT = List.of(126, 9, 16, 7, 15, 6, 5, 2, 101, 42, 2);

    private final StringBuilder page = new StringBuilder();

    private SynopsisComparison() {}

    /** Runs all comparisons, about ten seconds. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SynopsisComparison comparison = new SynopsisComparison();
        comparison.ranges();
        comparison.marginals();
        comparison.draw(Path.of("docs/performance/synopsis-errors.svg"));
        String text = Files.readString(PAGE);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        Files.writeString(PAGE, text.substring(0, begin) + comparison.page + text.substring(text.indexOf(END, begin)));
        System.out.print(comparison.page);
    }

    private void line(String format, Object... values) {
        page.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    /** The variance of a node of a table with a share of the allowance: rho ½, or epsilon 1. */
    private static double variance(double share, boolean isPure) {
        return isPure ? 2 / (share * share) : 1 / share;
    }

    private static Precision precision(Strategy strategy, OptimalShares shares, boolean isPure) {
        return new Precision(
                strategy.columns(),
                IntStream.range(0, shares.tables().size())
                        .mapToObj(i -> new Precision.Measurement(
                                shares.tables().get(i), variance(shares.shares().get(i), isPure), 0))
                        .toList());
    }

    private static OptimalShares equal(Strategy strategy) {
        List<Grain> tables = strategy.candidates();
        return new OptimalShares(
                tables, tables.stream().map(table -> 1.0 / tables.size()).toList());
    }

    private static double rms(Strategy strategy, Precision precision) {
        return Math.sqrt(strategy.workload().entrySet().stream()
                .mapToDouble(each -> each.getValue() / precision.of(each.getKey()))
                .sum());
    }

    private void ranges() {
        line("");
        line("Root mean square error of all %,d ranges of %,d cells:", CELLS * (CELLS + 1) / 2, CELLS);
        line("");
        line("| | rho ½ | times the bound | epsilon 1 |");
        line("|---|---|---|---|");
        double bound = bound();
        double all = CELLS * (CELLS + 1) / 2.0;
        row("ranges bought singly", Math.sqrt(all), bound, Math.sqrt(2) * all);
        double flat = Math.sqrt((CELLS + 2) / 3.0);
        row("noisy cells, added up", flat, bound, Math.sqrt(2) * flat);
        row("tree of equal shares, nodes added up", addedUp(false), bound, addedUp(true));
        row("tree of equal shares, least squares", tree(false, true), bound, tree(true, true));
        row("Haar wavelet, best shares", haar(false), bound, haar(true));
        row("**a synopsis**", tree(false, false), bound, tree(true, false));
        line("| bound of all linear strategies | %.3f | 1 | |", bound);
        line("");
    }

    private void row(String name, double gaussian, double bound, double pure) {
        line("| %s | %,.3f | %,.3f | %,.2f |", name, gaussian, gaussian / bound, pure);
    }

    private static double tree(boolean isPure, boolean equalShares) {
        RangeTrees strategy = equalShares ? dyadic() : RangeTrees.of(List.of(CELLS), isPure);
        OptimalShares shares = equalShares ? equal(strategy) : OptimalShares.of(strategy, isPure);
        return rms(strategy, precision(strategy, shares, isPure));
    }

    private static RangeTrees dyadic() {
        return RangeTrees.of(List.of(CELLS), false);
    }

    /** Each range is the sum of the fewest nodes of a dyadic tree. */
    private static double addedUp(boolean isPure) {
        int levels = dyadic().columns().getFirst().top() + 1;
        long nodes = 0;
        for (int from = 0; from < CELLS; from++) {
            for (int to = from + 1; to <= CELLS; to++) {
                nodes += nodes(from, to);
            }
        }
        return Math.sqrt(nodes / (CELLS * (CELLS + 1) / 2.0) * variance(1.0 / levels, isPure));
    }

    private static int nodes(int from, int to) {
        int nodes = 0;
        int begin = from;
        while (begin < to) {
            int width = begin == 0 ? CELLS : Integer.lowestOneBit(begin);
            while (begin + width > to) {
                width /= 2;
            }
            begin += width;
            nodes++;
        }
        return nodes;
    }

    /** Differences of the halves of dyadic nodes, and the sum of all: a residual is known from one measured number. */
    private static double haar(boolean isPure) {
        RangeTrees strategy = dyadic();
        Hierarchy column = strategy.columns().getFirst();
        // A number of level l is a sum of 2·width cells; the energies of the workload are divided by the cells.
        double[] factors = strategy.workload().entrySet().stream()
                .mapToDouble(each -> {
                    int level = each.getKey().level(0);
                    double cells = level == column.top() ? CELLS : 2.0 * column.width(level);
                    return each.getValue() * CELLS / cells;
                })
                .toArray();
        // Σ f/ρ is least at ρ ~ √f, and Σ 2f/ε² at ε ~ f^(1/3).
        double sum =
                DoubleStream.of(factors).map(isPure ? Math::cbrt : Math::sqrt).sum();
        return isPure ? Math.sqrt(2 * Math.pow(sum, 3)) : sum;
    }

    /**
     * The singular value bound of Li and Miklau 2013: the ranges' Gram matrix is the inverse of a discrete Laplacian.
     */
    private static double bound() {
        double sum = IntStream.rangeClosed(1, CELLS)
                .mapToDouble(k -> Math.sqrt(CELLS + 1.0) / (2 * Math.sin(Math.PI * k / (2.0 * (CELLS + 1)))))
                .sum();
        return sum / Math.sqrt(CELLS * (CELLS * (CELLS + 1) / 2.0));
    }

    private void marginals() {
        line("Root mean square error of a cell of all tables of k columns, rho ½:");
        line("");
        line("| columns | tables | bought singly | equal shares | **a synopsis** | a simulated purchase | times the"
                + " optimum |");
        line("|---|---|---|---|---|---|---|");
        for (int together = 1; together <= 3; together++) {
            marginals("14 columns of Adult as in the literature", LITERATURE, together);
        }
        for (int together = 1; together <= 2; together++) {
            marginals("11 columns of adult.csv", ADULT, together);
        }
        line("");
    }

    private void marginals(String name, List<Integer> cells, int together) {
        Marginals strategy = Marginals.of(cells, together);
        double shared = rms(strategy, precision(strategy, OptimalShares.of(strategy, false), false));
        double optimum = optimum(strategy);
        line(
                "| %s | %d of %d | %.3f | %.3f | %.4f | %s | %.3f |",
                name,
                strategy.candidates().size(),
                together,
                Math.sqrt(strategy.candidates().size()),
                rms(strategy, precision(strategy, equal(strategy), false)),
                shared,
                together == 3 ? "" : String.format(Locale.ROOT, "%.4f", simulated(cells, together)),
                shared / optimum);
    }

    /** ResidualPlanner's closed form: the least error if residuals are measured, with any real noise. */
    private static double optimum(Marginals strategy) {
        double sum = 0;
        for (Map.Entry<Grain, Double> each : strategy.workload().entrySet()) {
            List<Integer> divided = each.getKey().divided(strategy.columns());
            double nodes = each.getKey().nodes(strategy.columns());
            double share = divided.stream()
                    .mapToDouble(
                            column -> 1 - 1.0 / strategy.columns().get(column).cells())
                    .reduce(1, (one, other) -> one * other);
            sum += Math.sqrt(each.getValue() * nodes * share);
        }
        return sum;
    }

    /** The error of all cells of one purchase from a dataset without rows. */
    private static double simulated(List<Integer> cells, int together) {
        PrivacyAllowance.Concentrated allowance = new PrivacyAllowance.Concentrated(Epsilon.parse("1"));
        NoisySynopsis mechanism = new NoisySynopsis(
                allowance,
                NoisySynopsis.Plan.ofMarginals(cells, together),
                NoisySynopsis.Contents.counts(false),
                new Neighborhood(NeighboringRelation.ADD_OR_REMOVE_ONE, new PrivacyUnit.Row()));
        List<Buckets> empty = mechanism.collected().stream()
                .map(divided -> Buckets.over(
                                divided.stream().mapToInt(cells::get).reduce(1, (one, other) -> one * other),
                                new long[0],
                                false)
                        .build())
                .toList();
        RandomBits bits = new SecureBits();
        ConsistentTables tables = new ConsistentTables(
                mechanism.precision(), mechanism.measured(empty, IntegerRelease.first(bits)).stream());
        double squares = 0;
        long count = 0;
        for (List<Integer> divided : mechanism.collected()) {
            for (double cell : tables.cells(Grain.cellsOf(mechanism.columns(), divided))) {
                squares += cell * cell;
                count++;
            }
        }
        // An epsilon of 1 means another rho than ½.
        return Math.sqrt(squares / count * 2 * allowance.rho().picos() / 1e12);
    }

    private void draw(Path picture) throws IOException, InterruptedException {
        Map<String, Map<String, List<Point>>> panels = new LinkedHashMap<>();
        for (boolean isPure : new boolean[] {false, true}) {
            RangeTrees best = RangeTrees.of(List.of(CELLS), isPure);
            double noise = isPure ? 2 : 1;
            Map<String, List<Point>> lines = new LinkedHashMap<>();
            lines.put("noisy cells, added up", points(length -> Math.sqrt(noise * length)));
            lines.put("tree of equal shares", points(byLength(dyadic(), equal(dyadic()), isPure)));
            lines.put("a synopsis", points(byLength(best, OptimalShares.of(best, isPure), isPure)));
            panels.put(isPure ? "epsilon 1" : "rho 1/2", lines);
        }
        Figure.draw(panels, "cells of a range", "root mean square error", picture);
    }

    private static List<Point> points(IntToDoubleFunction error) {
        List<Point> points = new ArrayList<>();
        for (int length = 1; length <= CELLS; length *= 2) {
            points.add(new Point(length, error.applyAsDouble(length)));
        }
        return points;
    }

    private static IntToDoubleFunction byLength(RangeTrees strategy, OptimalShares shares, boolean isPure) {
        LinearError errors = new LinearError(precision(strategy, shares, isPure), List.of(0));
        CellWeights ones = CellWeights.ones(strategy.columns().getFirst());
        return length -> Math.sqrt(IntStream.rangeClosed(0, CELLS - length)
                .mapToDouble(from -> errors.variance(
                        List.of(new LinearError.Part(ones, List.of(new CellWeights.Run(from, from + length))))))
                .average()
                .orElseThrow());
    }
}
