package dev.purser.mechanism;

import dev.purser.mechanism.SparseVector.Allocation;
import dev.purser.mechanism.SparseVector.Form;
import dev.purser.mechanism.SparseVector.Release;
import dev.purser.mechanism.SparseVector.Variant;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAllowance;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

/** Known answers: the bounds of the literature, through what a mechanism states. */
class PublishedBoundsTests {
    private static SparseVector mechanism(
            Form form, boolean monotone, int k, int c, double beta, String epsilon, String delta) {
        ThresholdQueries queries = new ThresholdQueries(
                Collections.nCopies(k, new Statistic.Count(0, false, 0, 1)),
                Collections.nCopies(k, BigInteger.ONE),
                BigInteger.ZERO,
                monotone ? SmallData.ADD_OR_REMOVE_ROW : SmallData.REPLACE_ROW);
        Epsilon whole = Epsilon.parse(epsilon);
        PrivacyAllowance allowance = delta.equals("0")
                ? new PrivacyAllowance.Pure(whole)
                : new PrivacyAllowance.Approximate(whole, Delta.parse(delta));
        return new SparseVector(allowance, queries, c, form, beta);
    }

    private static double textbook(Release release, int k, int c, double beta, String epsilon, String delta) {
        return mechanism(new Form(release, Allocation.TEXTBOOK, Variant.AUTOMATIC), false, k, c, beta, epsilon, delta)
                .alphaSteps()
                .doubleValue();
    }

    /** Whether two numbers are the same to twelve digits, or to the six decimals that a table has. */
    private static void assertKnown(double actual, double formula, double tabulated) {
        assertThat(actual).isCloseTo(formula, withinPercentage(1e-10)).isEqualTo(tabulated, within(6e-7));
    }

    @ParameterizedTest
    @CsvSource({
        "100,     1,  .05,  1,  0,    66.352397,  66.352397,    80.884771,    36.582558,   23.965858",
        "1000,    1,  .05,  .5, 0,    169.546156, 169.546156,   203.216074,   88.177606,   57.142057",
        "1000,    5,  .01,  1,  0,    97.648581,  552.620422,   652.889598,   178.248841,  102.693145",
        "50,      3,  .1,   .5, 0,    110.524084, 384.305643,   469.773796,   133.772357,  79.826159",
        "10000,   10, .05,  1,  0,    103.193759, 1216.144394,  1430.545689,  323.867042,  177.593866",
        "1000000, 20, .001, 2,  0,    85.665652,  1952.971623,  2259.476322,  513.200610,  275.033090",
        "200,     3,  .05,  1,  0,    71.897575,  242.059419,   291.031820,   86.123292,   51.285429",
        "1000,    10, .05,  1,  1e-6, 84.773078,  3430.693297,  4822.895494,  271.565162,  149.607246",
        "100,     10, .05,  1,  1e-6, 66.352397,  2818.294768,  4822.895494,  219.263283,  121.620626",
        "1000000, 10, .05,  1,  1e-6, 140.035120, 5267.888884,  5834.267207,  428.470801,  233.567106",
        "500,     50, .01,  .5, 1e-9, 184.206807, 22469.985867, 40283.322606, 2648.355835, 1390.535601"
    })
    void areThoseOfTheTable(
            int k,
            int c,
            double beta,
            double eps,
            double delta,
            double aboveThreshold,
            double sparse,
            double numericSparse,
            double singleGeneral,
            double singleMonotone) {
        String epsilon = BigDecimal.valueOf(eps).toPlainString();
        String smallDelta = delta == 0 ? "0" : BigDecimal.valueOf(delta).toPlainString();
        double lnK = Math.log(k);
        assertKnown(
                textbook(Release.INDICES, k, 1, beta, epsilon, "0"),
                8 * (lnK + Math.log(2 / beta)) / eps,
                aboveThreshold);
        double ofSparse = lnK + Math.log(2 * c / beta);
        double ofValues = lnK + Math.log(4 * c / beta);
        if (delta == 0) {
            assertKnown(textbook(Release.INDICES, k, c, beta, epsilon, "0"), 8 * c * ofSparse / eps, sparse);
            assertKnown(textbook(Release.GAPS, k, c, beta, epsilon, "0"), 8 * c * ofSparse / eps, sparse);
            assertKnown(textbook(Release.VALUES, k, c, beta, epsilon, "0"), 9 * c * ofValues / eps, numericSparse);
        } else {
            assertKnown(
                    textbook(Release.INDICES, k, c, beta, epsilon, smallDelta),
                    ofSparse * Math.sqrt(512 * c * Math.log(1 / delta)) / eps,
                    sparse);
            double unit = Math.sqrt(c * Math.log(2 / delta)) * (Math.sqrt(512) + 1) / eps;
            assertKnown(
                    textbook(Release.VALUES, k, c, beta, epsilon, smallDelta),
                    unit * Math.max(ofValues, Math.sqrt(8) * Math.log(2 * c / beta)),
                    numericSparse);
        }
        // Exact tails are below the bound of the same noises by union of two-sided continuous tails.
        for (boolean monotone : new boolean[] {true, false}) {
            int factor = monotone ? 1 : 2;
            double weight = Math.pow(factor * c, 2.0 / 3);
            double bound = Math.log(2 / beta) * (1 + weight) / eps
                    + factor * c * Math.log(2 * k / beta) * (1 + weight) / weight / eps;
            assertThat(bound).isEqualTo(monotone ? singleMonotone : singleGeneral, within(6e-7));
            Form optimal = PureMechanisms.optimal(Release.INDICES, Variant.AUTOMATIC);
            assertThat(mechanism(optimal, monotone, k, c, beta, epsilon, smallDelta)
                            .alphaSteps()
                            .doubleValue())
                    .isLessThanOrEqualTo(bound)
                    .isGreaterThan(0.6 * bound);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1000,    10, 3868.34283163522,  0.0789, false",
        "100,     10, 3213.034707,       0.170,  false",
        "1000,    1,  ,                  0.0185, true",
        "1000000, 10, 5834.267207,       0.0071, true",
        "10,      1,  ,                  0.094,  false"
    })
    void holdForValuesWithADeltaOnlyAsCorrected(int k, int c, Double published, double failure, boolean holds) {
        // P(a value is off by more than alpha), exact, at epsilon 1, delta 1e-6, beta 0.05. The values have half of
        // beta.
        SparseVector mechanism = mechanism(
                new Form(Release.VALUES, Allocation.TEXTBOOK, Variant.AUTOMATIC), false, k, c, 0.05, "1", "0.000001");
        DiscreteLaplacePmf noise =
                new DiscreteLaplacePmf(ExactTranscripts.scale(mechanism.description(), "valueScale"));
        double unit = Math.sqrt(c * Math.log(2e6)) * (Math.sqrt(512) + 1);
        double printed = unit * (Math.log(k) + Math.log(4 * c / 0.05));
        if (published != null) {
            assertThat(printed).isCloseTo(published, withinPercentage(1e-7));
        }
        double ofPrinted = failure(noise, printed, c);
        assertThat(ofPrinted).isCloseTo(failure, withinPercentage(1));
        assertThat(ofPrinted < 0.025).isEqualTo(holds);
        assertThat(failure(noise, mechanism.alphaSteps().doubleValue(), c)).isLessThanOrEqualTo(0.025);
    }

    /** P(any of c draws is off by more than alpha). */
    private static double failure(DiscreteLaplacePmf noise, double alpha, int c) {
        return -Math.expm1(c * Math.log1p(-2 * noise.atLeast(Math.floor(alpha) + 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "19.2, 1, 0.000001, true",
        "8.4, 1, 0.01, true",
        "22, 1, 0.000001, false",
        "100, 1, 0.000001, false",
        "100, 1000, 0.01, false"
    })
    void areGivenOnlyWhereTheTextbooksDeltaHolds(String epsilon, int c, String delta, boolean holds) {
        PrivacyAllowance allowance = new PrivacyAllowance.Approximate(Epsilon.parse(epsilon), Delta.parse(delta));
        for (Release release : Release.values()) {
            Form form = new Form(release, Allocation.TEXTBOOK, Variant.AUTOMATIC);
            assertThat(SparseVector.isPrivateFor(allowance, c, form)).isEqualTo(holds);
            if (holds) {
                assertKeepsWhatIsStated(form, c, epsilon, delta);
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> mechanism(form, false, 9, c, 0.05, epsilon, delta))
                        .withMessageContaining("advanced composition");
            }
            assertThat(SparseVector.isPrivateFor(allowance, c, PureMechanisms.optimal(release, Variant.AUTOMATIC)))
                    .isTrue();
        }
    }

    /** Advanced composition of c runs, and of c values, as Dwork and Roth 2014, theorem 3.20, at half of delta each. */
    private static void assertKeepsWhatIsStated(Form form, int c, String epsilon, String delta) {
        Description stated = mechanism(form, false, 9, c, 0.05, epsilon, delta).description();
        boolean withValues = form.release() == Release.VALUES;
        double slack = Double.parseDouble(delta) / (withValues ? 2 : 1);
        double ofEachRun = 1 / ExactTranscripts.scale(stated, "thresholdScale")
                + 2 / ExactTranscripts.scale(stated, "comparisonScale");
        double whole = composed(ofEachRun, c, slack);
        if (withValues) {
            whole += composed(1 / ExactTranscripts.scale(stated, "valueScale"), c, slack);
        }
        // The scales are stated with twelve digits.
        assertThat(whole).isLessThanOrEqualTo(Double.parseDouble(epsilon) * (1 + 1e-10));
    }

    private static double composed(double epsilon, int times, double slack) {
        return Math.sqrt(2 * times * Math.log(1 / slack)) * epsilon + times * epsilon * Math.expm1(epsilon);
    }
}
