package dev.purser.privacy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/** Compared with values computed elsewhere with fifty digits, and with formulas in double where that is enough. */
class ConcentratedPrivacyTests {
    // rho of pure epsilon: 0.46211715726000975850…, 4.999958333749995783e-5, 5e-13, 100 − 7e-42.
    @ParameterizedTest
    @CsvSource({
        "1, 0.462117157261",
        "0.01, 0.000049999584",
        "0.000001, 0.000000000001",
        "100, 100",
        "1000000, 1000000",
        "0.000000001, 0.000000000001"
    })
    void pricesAPureReleaseRoundedUp(String epsilon, String rho) {
        assertThat(ConcentratedPrivacy.ofPure(Epsilon.parse(epsilon))).hasToString(rho);
    }

    // 0.02435597035953837…, 0.50000000007953787…, 0.00013593660219579…, 995724.39629032593716…,
    // 987212.83357035445873…, 0.12058242891101998…, 1.0965e-14.
    @ParameterizedTest
    @CsvSource({
        "1, 1e-6, 0.024355970359",
        "5.221534445, 1e-6, 0.500000000079",
        "0.000001, 0.01, 0.000135936602",
        "1000000, 0.01, 995724.396290325937",
        "1000000, 1e-18, 987212.833570354458",
        "3, 1e-9, 0.120582428911",
        "0.000001, 1e-18, 0"
    })
    void findsTheLargestRhoWithinEpsilonAndDelta(String epsilon, String delta, String rho) {
        assertThat(ConcentratedPrivacy.within(Epsilon.parse(epsilon), Delta.parse(delta)))
                .hasToString(rho);
    }

    // 5.2215344445301690442…
    @Test
    void findsTheLeastEpsilonOfARho() {
        assertThat(ConcentratedPrivacy.epsilon(new Rho(500_000_000_000L), Delta.parse("1e-6")))
                .hasToString("5.221534445");
        assertThat(ConcentratedPrivacy.epsilon(Rho.ZERO, Delta.parse("1e-6"))).isEqualTo(Epsilon.ZERO);
        assertThat(ConcentratedPrivacy.epsilon(Rho.MAX, Delta.parse("1e-6")))
                .hasToString(String.valueOf(Epsilon.MAX_WHOLE));
    }

    /**
     * From rho to delta: at epsilon 4, rho 0.5 comes to the delta 0.000195795416957721 (Canonne, Kamath and Steinke).
     */
    @Test
    void findsTheDeltaOfARhoToTenDigits() {
        Rho rho = ConcentratedPrivacy.within(Epsilon.parse("4"), Delta.parse("0.000195795416957721"));

        assertThat(rho.picos() / 1e12).isCloseTo(0.5, within(0.5e-10));
    }

    /** Bun and Steinke's own conversion, rho + 2·√(rho·ln(1/delta)) = 5.75652176975693, is not as tight. */
    @Test
    void isTighterThanTheFirstConversion() {
        double first = 0.5 + 2 * Math.sqrt(0.5 * Math.log(1e6));

        assertThat(first).isCloseTo(5.75652176975693, within(6e-12));
        assertThat(ConcentratedPrivacy.epsilon(new Rho(500_000_000_000L), Delta.parse("1e-6"))
                                .nanos()
                        / 1e9)
                .isLessThan(first - 0.5);
    }

    /** A conversion to rho and back gains nothing, and loses at most one unit of rho. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void neverGainsByGoingThereAndBack(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 30; i++) {
            Epsilon epsilon = new Epsilon((long) Math.exp(7 + random.nextDouble() * 20));
            Delta delta = new Delta((long) Math.exp(random.nextDouble() * 36));
            Rho rho = ConcentratedPrivacy.within(epsilon, delta);

            assertThat(ConcentratedPrivacy.epsilon(rho, delta)).isLessThanOrEqualTo(epsilon);
            if (rho.compareTo(Rho.MAX) < 0) {
                Epsilon next = ConcentratedPrivacy.epsilon(new Rho(rho.picos() + 1), delta);
                assertThat(next).as("%s %s %s", epsilon, delta, rho).isGreaterThanOrEqualTo(epsilon);
            }
        }
    }

    /** No order gives a smaller epsilon. */
    @ParameterizedTest
    @CsvSource({"0.5, 1e-6", "0.0001, 1e-9", "3, 0.01", "0.02, 1e-18", "50, 1e-6"})
    void isTheMinimumOverAllOrders(double rho, String delta) {
        double least = Double.MAX_VALUE;
        double lnInverse = -Math.log(Double.parseDouble(delta));
        for (double t = -10; t < 20; t += 1e-4) {
            double order = 1 + Math.exp(t);
            least = Math.min(least, order * rho + Math.log1p(-1 / order) + (lnInverse - Math.log(order)) / (order - 1));
        }
        double found = ConcentratedPrivacy.epsilon(new Rho((long) (rho * 1e12)), Delta.parse(delta))
                        .nanos()
                / 1e9;
        assertThat(found).isBetween(least - 1e-7, least + 2e-9);
    }

    @ParameterizedTest
    @CsvSource({"24000000000, 10", "1, 1", "462117157261, 1", "1000000000000, 1000"})
    void findsTheLargestEpsilonSomeReleasesOfWhichFit(long picos, int times) {
        Epsilon each = ConcentratedPrivacy.pureWithin(new Rho(picos), times);
        long next = ConcentratedPrivacy.ofPure(new Epsilon(each.nanos() + 1)).picos();

        assertThat(ConcentratedPrivacy.ofPure(each).picos() * times).isLessThanOrEqualTo(picos);
        assertThat(next * times).isGreaterThan(picos);
    }

    @Test
    void needsADelta() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConcentratedPrivacy.within(Epsilon.parse("1"), Delta.ZERO));
    }
}
