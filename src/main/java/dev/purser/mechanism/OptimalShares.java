package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The shares of an allowance that make the mean variance of a workload small. All numbers are public, so shares may be
 * computed in floating point.
 *
 * <p>Let a table s have weight w_s = 1/σ_s² and n_s nodes. The precision of a residual t is λ_t = Σ w_s/n_s over all
 * tables s that are as fine as t or finer, and the mean variance is Σ_t v_t/λ_t, with v the workload. At the least
 * variance the derivative by the share is the same for all tables that have a share. Under Gaussian noise w is
 * proportional to the share, and the problem is convex. Under Laplace noise w is proportional to the square of the
 * share, and the problem is not convex. The rule can then end where fewer tables would be better, so tables are left
 * out one by one, as long as that helps.
 */
record OptimalShares(List<Grain> tables, List<Double> shares) {
    private static final int ROUNDS = 100;

    /** The search ends when no share changes by more than this part of itself. */
    private static final double SETTLED = 1e-6;

    /**
     * A table with a smaller share is not measured if a finer table is: its noisy nodes would add almost no
     * information.
     */
    private static final double NEGLIGIBLE = 5e-4;

    /** The shares of the tables that are measured, in the strategy's order. They add up to about 1. */
    static OptimalShares of(Strategy strategy, boolean isPure) {
        OptimalShares best = among(strategy.candidates(), strategy, isPure);
        Optional<OptimalShares> better = Optional.of(best);
        while (isPure && better.isPresent()) {
            best = better.get();
            better = best.withoutOne(strategy);
        }
        return best;
    }

    /** The best shares with one table less, if they are better than these shares. */
    private Optional<OptimalShares> withoutOne(Strategy strategy) {
        Set<Grain> coarse = coarse(tables, strategy);
        return tables.stream()
                .filter(coarse::contains)
                .map(left ->
                        tables.stream().filter(table -> !table.equals(left)).toList())
                .map(others -> among(others, strategy, true))
                .min(Comparator.comparingDouble(shares -> shares.variance(strategy)))
                .filter(shares -> shares.variance(strategy) < variance(strategy));
    }

    /** The mean variance of the workload where Laplace noise has these shares of an epsilon of 1. */
    private double variance(Strategy strategy) {
        Precision precision = new Precision(
                strategy.columns(),
                IntStream.range(0, tables.size())
                        .mapToObj(i -> new Precision.Measurement(tables.get(i), 2 / Math.pow(shares.get(i), 2), 0))
                        .toList());
        return strategy.workload().entrySet().stream()
                .mapToDouble(each -> each.getValue() / precision.of(each.getKey()))
                .sum();
    }

    /** All grains that are coarser than one of these tables. */
    private static Set<Grain> coarse(List<Grain> tables, Strategy strategy) {
        return tables.stream()
                .flatMap(table -> table.coarser(strategy.columns()).stream().filter(grain -> !grain.equals(table)))
                .collect(Collectors.toSet());
    }

    /** The shares of these tables, without tables whose share is negligible. */
    private static OptimalShares among(List<Grain> tables, Strategy strategy, boolean isPure) {
        OptimalShares all = settled(tables, strategy, isPure);
        double least = NEGLIGIBLE * Math.min(1, 10.0 / tables.size());
        Set<Grain> coarse = coarse(tables, strategy);
        List<Grain> kept = IntStream.range(0, tables.size())
                .filter(i -> all.shares.get(i) > least || !coarse.contains(tables.get(i)))
                .mapToObj(tables::get)
                .toList();
        return kept.size() == tables.size() ? all : among(kept, strategy, isPure);
    }

    private static OptimalShares settled(List<Grain> tables, Strategy strategy, boolean isPure) {
        Map<Grain, Integer> places = new HashMap<>();
        List<int[]> coarser = new ArrayList<>();
        List<Double> energies = new ArrayList<>();
        for (Grain table : tables) {
            coarser.add(table.coarser(strategy.columns()).stream()
                    .mapToInt(grain -> places.computeIfAbsent(grain, unseen -> {
                        energies.add(strategy.workload().getOrDefault(unseen, 0.0));
                        return energies.size() - 1;
                    }))
                    .toArray());
        }
        double[] nodes = tables.stream()
                .mapToDouble(table -> table.nodes(strategy.columns()))
                .toArray();
        double[] shares = new double[nodes.length];
        Arrays.fill(shares, 1.0 / shares.length);
        for (int round = 0; round < ROUNDS; round++) {
            double[] before = shares.clone();
            improve(shares, nodes, coarser, energies, isPure);
            if (IntStream.range(0, shares.length)
                    .allMatch(i -> Math.abs(shares[i] - before[i]) < SETTLED * before[i])) {
                break;
            }
        }
        return new OptimalShares(tables, Arrays.stream(shares).boxed().toList());
    }

    private static void improve(
            double[] shares, double[] nodes, List<int[]> coarser, List<Double> energies, boolean isPure) {
        double[] precisions = new double[energies.size()];
        for (int table = 0; table < shares.length; table++) {
            double weight = isPure ? shares[table] * shares[table] : shares[table];
            for (int grain : coarser.get(table)) {
                precisions[grain] += weight / nodes[table];
            }
        }
        double all = 0;
        for (int table = 0; table < shares.length; table++) {
            double slope = 0;
            for (int grain : coarser.get(table)) {
                slope += energies.get(grain) / (precisions[grain] * precisions[grain]);
            }
            slope /= nodes[table];
            shares[table] *= isPure ? StrictMath.cbrt(shares[table] * slope) : Math.sqrt(slope);
            all += shares[table];
        }
        for (int table = 0; table < shares.length; table++) {
            shares[table] /= all;
        }
    }
}
