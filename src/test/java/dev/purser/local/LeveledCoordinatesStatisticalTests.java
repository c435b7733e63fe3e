package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** One coordinate of several, reported with a private level: 50,000 reports, five standard deviations. */
class LeveledCoordinatesStatisticalTests {
    private static final int REPORTS = 50_000;
    private static final LeveledResponse RESPONSE =
            new LeveledResponse(List.of(Epsilon.parse("3"), Epsilon.parse("2"), Epsilon.parse("1")));

    @Test
    void estimateEachMeanWithoutBiasWhateverTheLevels() {
        RandomBits bits = new SeededBits(71);
        SampledCoordinates<LeveledSign> any = SampledCoordinates.leveled(RESPONSE, List.of(1, 1, 1));
        List<Position> values = GradientModel.positions(new double[] {-0.75, 0, 0.5});
        long[] tally = new long[any.tallies()];
        for (int i = 0; i < REPORTS; i++) {
            SampledCoordinates<LeveledSign> own = SampledCoordinates.leveled(RESPONSE, List.of(1 + i % 3, 2, 3));
            List<CoordinateReport<LeveledSign>> report = own.report(values, bits);
            assertThat(any.isPossible(report)).isTrue();
            any.add(report, tally, 0);
        }
        double deviation = Math.sqrt(any.largestVariance() / REPORTS);
        assertThat(any.means(tally, REPORTS)).containsExactly(new double[] {-0.75, 0, 0.5}, within(5 * deviation));
        assertThat(any.epsilon()).isEqualTo(RESPONSE.epsilon());
    }

    /** The variance over fresh reports of one coordinate at 0, whose device has the level with most noise. */
    @Test
    void haveAtMostTheVarianceOfTheLevelWithMostNoise() {
        RandomBits bits = new SeededBits(73);
        SampledCoordinates<LeveledSign> own = SampledCoordinates.leveled(RESPONSE, List.of(3, 3));
        List<Position> zero = GradientModel.positions(new double[] {0, 0});
        double squares = 0;
        double fourths = 0;
        for (int i = 0; i < REPORTS; i++) {
            CoordinateReport<LeveledSign> report = own.report(zero, bits).getFirst();
            double square = report.coordinate() == 0 ? Math.pow(own.contribution(report), 2) : 0;
            squares += square;
            fourths += square * square;
        }
        double ofSquare = fourths / REPORTS - Math.pow(squares / REPORTS, 2);
        assertThat(squares / REPORTS).isEqualTo(own.variance(0), within(5 * Math.sqrt(ofSquare / REPORTS)));
    }
}
