package dev.purser.synopsis;

import dev.purser.mechanism.CellWeights.Run;
import java.util.List;

/** Sums of boxes of a table's cells. Each sum takes a few look-ups. */
final class PrefixSums {
    private final int[] sizes;
    private final double[] sums;

    /**
     * @param cells the cells; the cell of the last column changes fastest
     * @param sizes the number of cells of each column
     * @param weights for each column, the weight of each cell
     */
    PrefixSums(double[] cells, int[] sizes, List<double[]> weights) {
        this.sizes = sizes;
        int length = 1;
        for (int size : sizes) {
            length *= size + 1;
        }
        sums = new double[length];
        for (int cell = 0; cell < cells.length; cell++) {
            int rest = cell;
            int place = 0;
            int step = 1;
            double weight = 1;
            for (int column = sizes.length - 1; column >= 0; column--) {
                int at = rest % sizes[column];
                rest /= sizes[column];
                weight *= weights.get(column)[at];
                place += (at + 1) * step;
                step *= sizes[column] + 1;
            }
            sums[place] = weight * cells[cell];
        }
        int step = 1;
        for (int column = sizes.length - 1; column >= 0; column--) {
            int size = sizes[column] + 1;
            for (int i = 0; i < length; i++) {
                if (i / step % size > 0) {
                    sums[i] += sums[i - step];
                }
            }
            step *= size;
        }
    }

    /** The sum of the cells in these runs of every column. */
    double of(List<List<Run>> runs) {
        return of(runs, 0, 0);
    }

    private double of(List<List<Run>> runs, int column, int place) {
        if (column == sizes.length) {
            return sums[place];
        }
        double sum = 0;
        for (Run run : runs.get(column)) {
            int size = sizes[column] + 1;
            sum += of(runs, column + 1, place * size + run.to()) - of(runs, column + 1, place * size + run.from());
        }
        return sum;
    }
}
