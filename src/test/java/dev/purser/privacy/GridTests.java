package dev.purser.privacy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GridTests {
    private static Grid grid(String resolution) {
        return new Grid(new BigDecimal(resolution));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 125, 125",
        "1, -3.0, -3",
        "0.25, 40, 160",
        "0.25, -0.75, -3",
        "0.1, 0.3, 3",
        "0.3, 0.9, 3",
        "5, 1E+1, 2",
        "1000, -7000, -7",
        "1, 1099511627776, 1099511627776",
        "1, -1099511627776, -1099511627776"
    })
    void findsTheIntegerOfAGridPoint(String resolution, BigDecimal value, long steps) {
        assertThat(grid(resolution).toGrid(value)).contains(steps);
        assertThat(grid(resolution).toDecimal(steps)).isEqualByComparingTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0.5",
        "0.25, 0.1",
        "0.3, 1",
        "1000, 1",
        "1, 1099511627777",
        "1, 1099511627776.5",
        "0.25, -274877906944.25",
        "1, 1E+400",
        "1, -1E+400"
    })
    void hasNoIntegerForWhatLiesBetweenOrTooFarOut(String resolution, BigDecimal value) {
        assertThat(grid(resolution).toGrid(value)).isEmpty();
    }

    @Test
    void hasAResolutionAboveZero() {
        assertThatIllegalArgumentException().isThrownBy(() -> grid("0"));
        assertThatIllegalArgumentException().isThrownBy(() -> grid("-1"));
    }

    @Test
    void isTheSameGridHoweverItsResolutionIsWritten() {
        assertThat(grid("0.250")).isEqualTo(grid("0.25"));
        assertThat(grid("1.0")).isEqualTo(Grid.ONE);
        assertThat(grid("100")).isEqualTo(grid("1E+2"));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.25, 0.25", "0.5, 0.2, 0.1", "6, 4, 2", "100, 30, 10", "0.3, 0.3, 0.3", "1E+3, 0.7, 0.1"})
    void theCommonGridOfTwoIsTheCoarsestThatHoldsBoth(String one, String other, BigDecimal common) {
        assertThat(grid(one).common(grid(other))).isEqualTo(new Grid(common));
        assertThat(grid(other).common(grid(one))).isEqualTo(new Grid(common));
    }

    @Test
    void countsItsStepsOnTheCommonGrid() {
        Random random = new Random(20_261_123);
        for (int i = 0; i < 10_000; i++) {
            Grid one = randomGrid(random);
            Grid other = randomGrid(random);
            Grid common = one.common(other);

            BigInteger ones = one.stepsOf(common);
            BigInteger others = other.stepsOf(common);
            assertThat(common.toDecimal(ones)).isEqualByComparingTo(one.resolution());
            assertThat(common.toDecimal(others)).isEqualByComparingTo(other.resolution());
            assertThat(ones.gcd(others)).as("no coarser grid holds both").isEqualTo(BigInteger.ONE);
        }
    }

    private static Grid randomGrid(Random random) {
        return new Grid(BigDecimal.valueOf(1 + random.nextInt(10_000), random.nextInt(8) - 2));
    }
}
