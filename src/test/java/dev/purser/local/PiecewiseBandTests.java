package dev.purser.local;

import dev.purser.noise.RandomBits;
import dev.purser.privacy.Epsilon;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** If the band had one point too many, no number of draws would show the loss. So each point is tried by itself. */
class PiecewiseBandTests {
    /**
     * Proposes a point, and another one if the first is refused. The coin always shows false: its exponential is the
     * first of two words. That word is 0, and it is kept because the second word is above it.
     */
    private static final class Proposals implements RandomBits {
        private final int[] points;
        private int next;
        private boolean first = true;

        Proposals(int... points) {
            this.points = points;
        }

        @Override
        public long next(int count) {
            if (count == 16) {
                return points[next++];
            }
            first = !first;
            return first ? 1 : 0;
        }
    }

    @ParameterizedTest
    @CsvSource({"0.000001, 0", "0.000001, 1", "1, 0", "1, 1", "10, 0", "10, 1"})
    void acceptsItsPointsAndNoOther(String epsilon, long part) {
        Piecewise piecewise = new Piecewise(Epsilon.parse(epsilon));
        int band = piecewise.band();
        int start = part == 0 ? 0 : Piecewise.POINTS - band;
        int wrong = 0;
        for (int point = 0; point < Piecewise.POINTS; point++) {
            int other = start + (point == start ? 1 : 0);
            boolean accepted = piecewise
                            .report(new Position(part, 1), new Proposals(point, other))
                            .index()
                    == point;
            wrong += accepted == (point >= start && point < start + band) ? 0 : 1;
        }
        assertThat(wrong).isZero();
        assertThat(band).isEqualTo(ExactReports.band(Double.parseDouble(epsilon)));
    }
}
