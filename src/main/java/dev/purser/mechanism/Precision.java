package dev.purser.mechanism;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How precisely measured tables determine each residual, and so the exact variance of every question about them. The
 * precision follows from public facts alone. The argument is in {@code NoisySynopsis.md}.
 */
public final class Precision {
    private final List<Hierarchy> columns;
    private final List<Measurement> measured;
    private final Map<Grain, Double> precisions = new HashMap<>();

    /**
     * A table of nodes that is measured.
     *
     * @param variance the variance of the noise of each node, or a little more
     * @param laplaceScale the scale of Laplace noise, in the same unit; 0 for Gaussian noise
     */
    public record Measurement(Grain grain, double variance, double laplaceScale) {
        /** @param spread the scale of discrete Laplace noise or the standard deviation of Gaussian noise */
        public static Measurement of(Grain grain, double spread, boolean isLaplace) {
            if (!isLaplace) {
                return new Measurement(grain, spread * spread, 0);
            }
            double p = Math.exp(-1 / spread);
            double oneMinusP = -Math.expm1(-1 / spread);
            return new Measurement(grain, 2 * p / (oneMinusP * oneMinusP), spread);
        }
    }

    public Precision(List<Hierarchy> columns, List<Measurement> measured) {
        this.columns = List.copyOf(columns);
        this.measured = List.copyOf(measured);
        for (Measurement table : measured) {
            double precision = 1 / (table.variance() * table.grain().nodes(columns));
            for (Grain grain : table.grain().coarser(columns)) {
                precisions.merge(grain, precision, Double::sum);
            }
        }
    }

    List<Hierarchy> columns() {
        return columns;
    }

    /** The measured tables. */
    public List<Measurement> measured() {
        return measured;
    }

    /** All grains that a measured table determines. */
    Iterable<Grain> grains() {
        return precisions.keySet();
    }

    /** The largest ratio of the variance of continuous Laplace noise to the variance of the noise of the same scale. */
    double laplaceExcess() {
        return measured.stream()
                .mapToDouble(table -> 2 * Math.pow(table.laplaceScale(), 2) / table.variance())
                .max()
                .orElseThrow();
    }

    /** λ of a residual: the sum of 1/(variance · nodes) of all measured tables that are as fine or finer. */
    double of(Grain grain) {
        Double precision = precisions.get(grain);
        if (precision == null) {
            throw new IllegalArgumentException("no measured table is as fine as " + grain);
        }
        return precision;
    }
}
