package dev.purser.synopsis;

import dev.purser.mechanism.CellWeights.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Sums of boxes, compared with the sums of their cells. */
class PrefixSumsTests {
    private final Random random = new Random(11);

    private double added(double[] cells, int[] sizes, List<double[]> weights, List<List<Run>> runs) {
        double sum = 0;
        for (int cell = 0; cell < cells.length; cell++) {
            int rest = cell;
            double weight = 1;
            for (int column = sizes.length - 1; column >= 0; column--) {
                int at = rest % sizes[column];
                rest /= sizes[column];
                boolean taken = runs.get(column).stream().anyMatch(run -> run.from() <= at && at < run.to());
                weight *= taken ? weights.get(column)[at] : 0;
            }
            sum += weight * cells[cell];
        }
        return sum;
    }

    private List<Run> runs(int size) {
        List<Run> runs = new ArrayList<>();
        for (int from = random.nextInt(3); from < size; ) {
            int to = Math.min(size, from + 1 + random.nextInt(3));
            runs.add(new Run(from, to));
            from = to + random.nextInt(3);
        }
        return runs;
    }

    @Test
    void areThoseOfTheCells() {
        for (int[] sizes : List.of(new int[0], new int[] {1}, new int[] {9}, new int[] {4, 7}, new int[] {3, 1, 5})) {
            double[] cells = random.doubles(IntStream.of(sizes).reduce(1, (one, other) -> one * other), -9, 9)
                    .toArray();
            List<double[]> weights = IntStream.of(sizes)
                    .mapToObj(size -> random.doubles(size, -2, 2).toArray())
                    .toList();
            PrefixSums sums = new PrefixSums(cells, sizes, weights);
            for (int i = 0; i < 50; i++) {
                List<List<Run>> runs = IntStream.of(sizes).mapToObj(this::runs).toList();
                assertThat(sums.of(runs)).isCloseTo(added(cells, sizes, weights, runs), within(1e-9));
            }
        }
    }
}
