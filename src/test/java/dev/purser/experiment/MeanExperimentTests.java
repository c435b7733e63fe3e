package dev.purser.experiment;

import dev.purser.json.JsonDocument;
import dev.purser.noise.SeededBits;
import dev.purser.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class MeanExperimentTests {
    private static MeanExperiment read(String request) {
        return JsonDocument.parse(request.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .read(MeanExperiment::read);
    }

    private static ExperimentResult run(String request) {
        MeanExperiment experiment = read(request);
        return experiment.run(new Progress(experiment, percent -> {}), new SeededBits(11));
    }

    private static ErrorRow row(ExperimentResult result, String comparison, String name) {
        return result.rows().stream()
                .filter(row -> row.comparison().equals(comparison) && row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The mean squared error of an unbiased mean is the variance of a contribution over the number of devices. With 400
     * repetitions the error's relative standard deviation is √(2/400), 7 %. Each method may be off by five of these.
     */
    @Test
    void everyMethodHasTheErrorOfItsVarianceAndTheEpsilonOfItsReports() {
        ExperimentResult result = run("{'values':[0.25,-0.5,0.75,0.0],'epsilons':['0.5'],'repetitions':400}");
        // Harmony at 0.5: magnitude² less the mean of the squares, 0.21875, over four devices.
        double magnitude = 1 / Math.tanh(0.25);
        assertThat(row(result, "nominal", "harmony").meanSquaredError().doubleValue())
                .isEqualTo((magnitude * magnitude - 0.21875) / 4, within(1.5));
        assertThat(row(result, "nominal", "harmony").epsilon()).hasToString("0.5");
        assertThat(row(result, "nominal", "hiera").epsilon()).hasToString("4.648722865");
        assertThat(row(result, "nominal", "multilevel-laplace").epsilon()).hasToString("2.5");
        for (Method method : Method.OF_MEANS) {
            ErrorRow equal = row(result, "equal-true", Method.word(method));
            assertThat(Double.parseDouble(String.valueOf(equal.epsilon()))).isEqualTo(4.648722865, within(1e-8));
        }
        ErrorRow equal = row(result, "equal-true", "harmony");
        double ofEqual = Math.pow(1 / Math.tanh(4.648722865 / 2), 2) - 0.21875;
        assertThat(equal.meanSquaredError().doubleValue()).isEqualTo(ofEqual / 4, within(0.35 * ofEqual / 4));
        assertThat(row(result, "equal-true", "hiera").meanSquaredError())
                .isEqualTo(row(result, "nominal", "hiera").meanSquaredError());
    }

    /** 2,000 repetitions of 500 devices: the ratio of two errors has a relative standard deviation of 3 to 4.5 %. */
    @Test
    void hierarchiesLoseToOneSignAtEqualEpsilonAndReuseMakesThemWorse() {
        ExperimentResult result = run("{'distributions':['uniform'],'devices':500,'epsilons':['0.5'],"
                + "'methods':['harmony','hiera'],'reuse':[1,2],'repetitions':2000}");
        double hiera = row(result, "nominal", "hiera").meanSquaredError().doubleValue();
        double harmony = row(result, "equal-true", "harmony").meanSquaredError().doubleValue();
        double reused =
                row(result, "nominal", "hiera reuse 2").meanSquaredError().doubleValue();

        // The variance for a device is 4.076 and 4.761. Harmony has 1.04 - 1/3 at the epsilon of both.
        assertThat(hiera * 500).isEqualTo(4.076, within(0.7));
        assertThat(reused / hiera).isEqualTo(4.761 / 4.076, within(0.2));
        assertThat(hiera / harmony).isBetween(4.5, 7.5);
        assertThat(result.conclusions().getFirst()).contains("nominal").contains("hiera in 1 of 1");
        assertThat(result.conclusions().get(1)).contains("equal-true").contains("harmony in 1 of 1");
        assertThat(result.conclusions()).anyMatch(text -> text.contains("not like for like"));
        assertThat(result.conclusions().getLast())
                .startsWith("uniform, equal-true epsilon, e = 0.5: harmony at epsilon 4.648722865 has the least")
                .contains("times as much");
    }

    @Test
    void countsItsReportsToTheLast() {
        MeanExperiment experiment = read("{'devices':2500,'epsilons':['1','2'],'methods':['harmony','hiera'],"
                + "'reuse':[1,3],'repetitions':3}");
        // Three distributions, two epsilons; harmony in both comparisons, hiera once for each reuse.
        assertThat(experiment.reports()).isEqualTo(3L * 2 * (2 + 2) * 3 * 2500);
        List<Integer> percents = new ArrayList<>();
        Progress progress = new Progress(experiment, percents::add);
        experiment.run(progress, new SeededBits(1));
        assertThat(percents).isSorted().doesNotHaveDuplicates().last().isEqualTo(100);
    }

    @Test
    void valuesAreWithinTheirRangeAndHaveTheMeansOfTheirDistributions() {
        SeededBits bits = new SeededBits(3);
        double[] means = {0.5, 0, (1 - Math.exp(-2)) / 2};
        for (Distribution distribution : Distribution.values()) {
            double sum = 0;
            for (int i = 0; i < 20_000; i++) {
                long value = distribution.value(bits);
                assertThat(value).isBetween(-Distribution.STEPS, Distribution.STEPS);
                sum += (double) value / Distribution.STEPS;
            }
            // The standard deviation of a value is at most 0.58. Five standard deviations of the mean of 20,000 are
            // allowed.
            assertThat(sum / 20_000).isEqualTo(means[distribution.ordinal()], within(0.0205));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'epsilons':['1'],'repetitions':2}",
                "{'devices':10,'values':[0],'epsilons':['1'],'repetitions':2}",
                "{'values':[1.5],'epsilons':['1'],'repetitions':2}",
                "{'devices':10,'epsilons':[],'repetitions':2}",
                "{'devices':10,'epsilons':['6'],'repetitions':2}",
                "{'devices':10,'epsilons':['1'],'repetitions':1}",
                "{'devices':10,'epsilons':['1'],'repetitions':2,'methods':['zero']}",
                "{'devices':10,'epsilons':['1'],'repetitions':2,'reuse':[6]}",
                "{'devices':10,'epsilons':['1'],'repetitions':2,'datasetId':'adult'}",
                "{'devices':1000000,'epsilons':['1'],'repetitions':10000}"
            })
    void refusesWhatBreaksARule(String request) {
        assertThatThrownBy(() -> read(request)).isInstanceOf(ProblemException.class);
    }
}
