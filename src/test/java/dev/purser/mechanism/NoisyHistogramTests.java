package dev.purser.mechanism;

import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.Neighborhood;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

class NoisyHistogramTests {
    static final List<Neighborhood> NEIGHBORHOODS = Units.NEIGHBORHOODS;

    private static final Epsilon ONE = Epsilon.parse("1");

    /** L1 for Laplace noise, and squared L2 for Gaussian noise. */
    @ParameterizedTest
    @FieldSource("NEIGHBORHOODS")
    void hasTheLargestDistancesOfAllSmallNeighborsAsItsSensitivities(Neighborhood neighborhood) {
        for (int table : new int[] {0, 2}) {
            for (long[] edges : new long[][] {{-2, 0, 3}, {-2, -1, 0, 1, 2, 3}, {-1, 0, 2}, {-5, 0, 1, 9}}) {
                List<Statistic> bins = PureMechanisms.histogram(ONE, table, table == 2, edges, neighborhood, 0.05)
                        .statistics();
                List<long[]> moves = Units.moves(bins, neighborhood);
                String place = "%s under %s".formatted(Arrays.toString(edges), neighborhood);
                assertThat(L1Sensitivity.histogram(neighborhood)).as(place).isEqualTo(farthest(moves, Math::abs));
                assertThat(L1Sensitivity.squaredL2OfHistogram(neighborhood))
                        .as(place)
                        .isEqualTo(farthest(moves, each -> each * each));
            }
        }
    }

    private static long farthest(List<long[]> moves, LongUnaryOperator distance) {
        return moves.stream()
                .mapToLong(move -> LongStream.of(move).map(distance).sum())
                .max()
                .orElseThrow();
    }

    @Test
    void addsNoiseOfItsOwnToEveryBin() {
        NoisyHistogram histogram =
                PureMechanisms.histogram(ONE, 0, false, new long[] {0, 1, 2, 3}, SmallData.ADD_OR_REMOVE_ROW, 0.05);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(histogram, SmallData.rows(-9, 0, 0, 2, 3));
        SeededBits bits = new SeededBits(71);
        int draws = 20_000;
        double[] means = new double[3];
        double products = 0;
        for (int i = 0; i < draws; i++) {
            List<BigInteger> counts = histogram.release(exact, bits).counts();
            for (int bin = 0; bin < 3; bin++) {
                means[bin] += counts.get(bin).doubleValue() / draws;
            }
            products += (counts.get(0).doubleValue() - 2) * counts.get(1).doubleValue() / draws;
        }
        // Variance 1.84 of a draw and 3.4 of a product: 5 sigmas are 0.05 and 0.07.
        assertThat(means[0]).isBetween(1.95, 2.05);
        assertThat(means[1]).isBetween(-0.05, 0.05);
        assertThat(means[2]).isBetween(0.95, 1.05);
        assertThat(products).isBetween(-0.07, 0.07);
    }

    @Test
    void holdsItsBoundForAllBinsTogether() {
        // 50 bins, 20,000 draws. Exact probability of a miss just below 0.1; five sigmas are 0.011.
        long[] edges = LongStream.rangeClosed(0, 50).toArray();
        NoisyHistogram histogram =
                PureMechanisms.histogram(Epsilon.parse("0.1"), 0, false, edges, SmallData.REPLACE_ROW, 0.1);
        Sensitive<List<Buckets>> exact = SmallData.ONE_COLUMN.sensitive(histogram, List.of());
        BigInteger alpha = histogram.alphaSteps();
        SeededBits bits = new SeededBits(72);
        int missed = 0;
        for (int i = 0; i < 20_000; i++) {
            missed += histogram.release(exact, bits).counts().stream()
                            .anyMatch(count -> count.abs().compareTo(alpha) > 0)
                    ? 1
                    : 0;
        }
        assertThat(missed / 20_000.0).isBetween(0.08, 0.111);
    }
}
