package dev.purser.mechanism;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The strategy for cross-tabulations. It measures all tables of k columns, with every cell. Tables of fewer columns
 * follow from all of them, more precisely than from one of them. The workload is all cells of all measured tables.
 *
 * <p>The argument is in {@code NoisySynopsis.md}. Source: Xiao et al. 2023 (ResidualPlanner), which measures residuals.
 * Here whole tables are measured instead.
 */
record Marginals(List<Hierarchy> columns, List<Grain> candidates, Map<Grain, Double> workload) implements Strategy {
    /** @param together how many columns a table has; at most the number of columns */
    static Marginals of(List<Integer> cells, int together) {
        List<Hierarchy> columns = cells.stream().map(Hierarchy::flat).toList();
        List<Grain> tables = combinations(cells.size(), together).stream()
                .map(each -> Grain.cellsOf(columns, each))
                .distinct()
                .toList();
        double all = tables.stream().mapToDouble(table -> table.nodes(columns)).sum();
        Map<Grain, Double> workload = new HashMap<>();
        for (Grain table : tables) {
            double share = table.nodes(columns) / all;
            energiesOfCell(columns, table)
                    .forEach((grain, energy) -> workload.merge(grain, share * energy, Double::sum));
        }
        return new Marginals(columns, tables, workload);
    }

    /** All choices of {@code together} numbers from 0 … {@code of} - 1. */
    static List<List<Integer>> combinations(int of, int together) {
        List<List<Integer>> all = List.of(List.of());
        for (int i = 0; i < together; i++) {
            List<List<Integer>> longer = new ArrayList<>();
            for (List<Integer> each : all) {
                for (int next = each.isEmpty() ? 0 : each.getLast() + 1; next < of; next++) {
                    List<Integer> more = new ArrayList<>(each);
                    more.add(next);
                    longer.add(more);
                }
            }
            all = longer;
        }
        return all;
    }

    /** By grain, the energy of the count of one cell. It is the same for every cell of a table. */
    static Map<Grain, Double> energiesOfCell(List<Hierarchy> columns, Grain table) {
        Map<Grain, Double> energies = new HashMap<>();
        for (Grain grain : table.coarser(columns)) {
            double energy = 1;
            for (int column : table.divided(columns)) {
                double cells = columns.get(column).cells();
                energy *= (grain.level(column) == 0 ? 1 - 1 / cells : 1 / cells) / cells;
            }
            energies.put(grain, energy);
        }
        return energies;
    }

    @Override
    public String name() {
        return candidates.size() == 1 ? "cells" : "marginals";
    }

    @Override
    public List<Grain> collected() {
        return candidates;
    }

    @Override
    public double worstVariance(Precision precision) {
        return candidates.stream()
                .mapToDouble(table -> energiesOfCell(columns, table).entrySet().stream()
                        .mapToDouble(each -> each.getValue() / precision.of(each.getKey()))
                        .sum())
                .max()
                .orElseThrow();
    }
}
