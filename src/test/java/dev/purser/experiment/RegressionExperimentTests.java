package dev.purser.experiment;

import dev.purser.json.JsonDocument;
import dev.purser.noise.SeededBits;
import dev.purser.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class RegressionExperimentTests {
    private static RegressionExperiment read(String request) {
        return JsonDocument.parse(request.replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                .read(RegressionExperiment::read);
    }

    private static List<ErrorRow> run(String request) {
        RegressionExperiment experiment = read(request);
        List<Integer> percents = new ArrayList<>();
        List<ErrorRow> rows = experiment
                .run(new Progress(experiment, percents::add), new SeededBits(17))
                .rows();
        assertThat(percents.getLast()).isEqualTo(100);
        return rows;
    }

    private static double squared(List<ErrorRow> rows, String subject, String comparison, String method) {
        return rows.stream()
                .filter(row -> row.subject().equals(subject)
                        && row.comparison().equals(comparison)
                        && row.method().equals(method))
                .findFirst()
                .orElseThrow()
                .meanSquaredError()
                .doubleValue();
    }

    @Test
    void modelsLearnFromReportsOfTheirGradients() {
        List<ErrorRow> rows = run("{'records':20000,'epsilons':['1'],'methods':['harmony','hiera'],'repetitions':1}");
        for (String model : List.of("linear", "logistic")) {
            double zero = squared(rows, model, "equal-true", "zero");
            double exact = squared(rows, model, "equal-true", "non-private");
            double harmony = squared(rows, model, "equal-true", "harmony");
            assertThat(exact).isLessThan(0.75 * zero);
            assertThat(harmony).isBetween(exact, 0.8 * zero);
            assertThat(squared(rows, model, "equal-true", "hiera")).isBetween(exact, 0.8 * zero);
        }
        // The noise of the census has the variance 0.01, and 16 rounds leave some error of the parameters.
        assertThat(squared(rows, "linear", "nominal", "non-private")).isBetween(0.01, 0.02);
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.absoluteStandardError().signum())
                        .isEqualTo(row.method().equals("zero") && row.subject().equals("logistic") ? 0 : 1));
    }

    @Test
    void namesTheReportsThatFillNoGroup() {
        List<ErrorRow> rows =
                run("{'records':3000,'models':['linear'],'epsilons':['1'],'methods':['harmony'],'repetitions':1}");
        ErrorRow harmony = rows.getFirst();
        assertThat(harmony.rounds()).isEqualTo(2);
        assertThat(harmony.unusedReports()).isEqualTo(400);
    }

    @Test
    void takesRowsOfTheRequest() {
        String sent = IntStream.range(0, 2000)
                .mapToObj(i -> "[" + (i % 2 == 0 ? 1 : -1) + "," + (i % 2 == 0 ? 0.5 : -0.5) + "]")
                .collect(Collectors.joining(","));
        List<ErrorRow> rows = run("{'rows':[" + sent + "],'models':['linear'],'epsilons':['1'],'repetitions':1}");
        assertThat(squared(rows, "linear", "nominal", "zero")).isEqualTo(0.25, within(1e-9));
        assertThat(squared(rows, "linear", "nominal", "non-private")).isLessThan(0.01);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'epsilons':['1'],'repetitions':1}",
                "{'records':1000,'rows':[[0,0],[0,0],[0,0],[0,0],[0,0]],'epsilons':['1'],'repetitions':1}",
                "{'rows':[[0,0],[0,0],[0,0],[0,0]],'epsilons':['1'],'repetitions':1}",
                "{'rows':[[0,0],[0,0],[0,0],[0,0],[0,0,0]],'epsilons':['1'],'repetitions':1}",
                "{'rows':[[0,2],[0,0],[0,0],[0,0],[0,0]],'epsilons':['1'],'repetitions':1}",
                "{'records':1000,'epsilons':['1'],'methods':['laplace'],'repetitions':1}",
                "{'records':100000,'epsilons':['1'],'repetitions':1000}"
            })
    void refusesWhatBreaksARule(String request) {
        assertThatThrownBy(() -> read(request)).isInstanceOf(ProblemException.class);
    }
}
