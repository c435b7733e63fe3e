package dev.purser.query;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.web.RunningService;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** What questions, budgets and refusals state under the accountants {@code approximate} and {@code zcdp}. */
class AccountantsOverHttpTests extends RunningService {

    private JsonNode budget(String id) throws Exception {
        return shown("/v1/datasets/" + id + "/budget");
    }

    /** A budget (1, 1e-6) has rho 0.024355970359. It pays once for epsilon 0.2, which is rho 0.019933598925. */
    @Test
    void zcdpCountsRhoAndShowsWhatItComesTo() throws Exception {
        String id = dataset("zcdp", "1", "1e-6");
        assertThat(budget(id).get("limit")).isEqualTo(json("""
                        {"epsilon":"1","delta":"0.000001","rho":"0.024355970359"}"""));
        assertThat(budget(id).get("spent")).isEqualTo(json(quoted("{'epsilon':'0','delta':'0','rho':'0'}")));

        JsonNode answer = answered(id, "count", quoted("{'epsilon':'0.2'}"));
        String rho = ConcentratedPrivacy.ofPure(Epsilon.parse("0.2")).toString();
        String converted = ConcentratedPrivacy.epsilon(
                        ConcentratedPrivacy.ofPure(Epsilon.parse("0.2")), Delta.parse("1e-6"))
                .toString();
        assertThat(rho).isEqualTo("0.019933598925");
        JsonNode amount =
                json(quoted("{'epsilon':'%s','delta':'0.000001','rho':'%s'}").formatted(converted, rho));
        assertThat(answer.get("charge")).isEqualTo(amount);
        assertThat(answer.at("/mechanism/name").asString()).isEqualTo("gaussian-count");
        assertThat(answer.at("/mechanism/noise").asString()).isEqualTo("discrete-gaussian");
        // Gaussian noise has no pure epsilon: the guarantee is the rho and its conversion.
        assertThat(answer.at("/guarantee/rho").asString()).isEqualTo(rho);
        assertThat(answer.at("/guarantee/epsilon").asString()).isEqualTo(converted);
        assertThat(answer.at("/guarantee/delta").asString()).isEqualTo("0.000001");
        assertThat(budget(id).get("spent")).isEqualTo(amount);
        assertThat(budget(id).at("/remaining/rho").asString()).isEqualTo("0.004422371434");

        JsonNode refusal = assertProblem(409, "budget-exhausted", ask(id, "count", quoted("{'epsilon':'0.2'}")));
        assertThat(refusal.at("/requested/rho").asString()).isEqualTo(rho);
        assertThat(refusal.at("/remaining/rho").asString()).isEqualTo("0.004422371434");
        assertThat(refusal.at("/shortfall/rho").asString()).isEqualTo("0.015511227491");
        assertThat(budget(id).get("spent")).isEqualTo(amount);
        JsonNode entry = json(get("/v1/datasets/" + id + "/ledger?after=1")).at("/items/0");
        assertThat(entry.get("charge")).isEqualTo(amount);
        assertThat(entry.get("spentAfter")).isEqualTo(amount);
    }

    /** A pure mechanism stays pure under every accountant, and its answer says so. */
    @ParameterizedTest
    @ValueSource(strings = {"zcdp", "approximate"})
    void statesPureEpsilonWhereTheMechanismIsPure(String accountant) throws Exception {
        String id = dataset(accountant, "3", "1e-6");
        JsonNode answer = answered(id, "mean", quoted("{'epsilon':'0.5','column':'age','method':'centered'}"));

        assertThat(answer.at("/guarantee/epsilon").asString()).isEqualTo("0.5");
        assertThat(answer.at("/guarantee/delta").asString()).isEqualTo("0");
        assertThat(answer.at("/guarantee/rho").isMissingNode()).isTrue();
    }

    @Test
    void approximateAddsEpsilonsAndDeltas() throws Exception {
        String id = dataset("approximate", "1", "1e-6");
        assertStatus(200, ask(id, "count", quoted("{'epsilon':'0.25','delta':'6e-7'}")));
        assertThat(budget(id).get("spent")).isEqualTo(json(quoted("{'epsilon':'0.25','delta':'0.0000006'}")));

        JsonNode refusal = assertProblem(409, "budget-exhausted", ask(id, "count", """
                        {"epsilon":"0.25","delta":"6e-7"}"""));
        assertThat(refusal.get("shortfall")).isEqualTo(json(quoted("{'epsilon':'0','delta':'0.0000002'}")));
        assertStatus(200, ask(id, "count", quoted("{'epsilon':'0.75'}")));
        assertThat(budget(id).get("remaining")).isEqualTo(json(quoted("{'epsilon':'0','delta':'0.0000004'}")));
    }

    /** With little epsilon and much delta, Gaussian noise errs less than Laplace noise of scale 1000. */
    @Test
    void approximateTakesGaussianNoiseWhereItErrsLess() throws Exception {
        String id = dataset("approximate", "1", "0.01");
        JsonNode small = answered(id, "count", quoted("{'epsilon':'0.001','delta':'0.005'}"));
        JsonNode large = answered(id, "count", quoted("{'epsilon':'0.5','delta':'1e-9'}"));

        assertThat(small.at("/mechanism/name").asString()).isEqualTo("gaussian-count");
        assertThat(small.at("/guarantee/delta").asString()).isEqualTo("0.005");
        assertThat(small.at("/accuracy/alpha").decimalValue()).isLessThan(new BigDecimal("1000"));
        assertThat(large.at("/mechanism/name").asString()).isEqualTo("laplace-count");
        assertThat(large.at("/guarantee/delta").asString()).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource({"pure, 0", "zcdp, 1e-6"})
    void onlyApproximateTakesAQuestionsDelta(String accountant, String limitDelta) throws Exception {
        String id = dataset(accountant, "1", limitDelta);

        JsonNode problem = assertProblem(422, "validation-failed", ask(id, "count", """
                        {"epsilon":"0.1","delta":"1e-9"}"""));
        assertThat(places(problem)).containsExactly("/delta");
        assertThat(problem.toString()).contains(accountant);
    }

    /** For every kind, the mechanism's loss under the dataset's accountant is at most what is charged. */
    @ParameterizedTest
    @CsvSource({
        "zcdp, 100, 1e-6, 0, 0.3",
        "approximate, 100, 0.01, 0.0001, 0.3",
        "approximate, 100, 0.01, 0.001, 0.01",
        "pure, 100, 0, 0, 0.3",
        "zcdp, 100, 1e-6, 0, 0.000001"
    })
    void chargesAtLeastWhatTheMechanismLoses(
            String accountant, String limit, String limitDelta, String delta, String epsilon) throws Exception {
        String id = dataset(accountant, limit, limitDelta);
        String price = "'epsilon':'" + epsilon + "','delta':'" + delta + "'";
        for (String[] question : new String[][] {
            {"count", ""},
            {"sum", ",'column':'age'"},
            {"histogram", ",'column':'sex'"},
            {"mean", ",'column':'age','method':'auto-clip'"},
            {"quantile", ",'column':'age','probabilities':[0.5]"},
            {"threshold", ",'threshold':5,'queries':[{'count':{}}]"},
            {
                "sparse-range",
                ",'column':'age','ranges':[{'atLeast':3}],'threshold':1,'maxPositives':40,'release':'values'"
            }
        }) {
            String body = ("{" + price + question[1] + "}").replace('\'', '"');
            JsonNode answer = answered(id, question[0], body);
            JsonNode guarantee = answer.get("guarantee");
            Accountant known = Accountants.named(accountant).orElseThrow();
            if (guarantee.has("rho")) {
                assertThat(known.name()).isEqualTo("zcdp");
                assertThat(guarantee.get("rho")).isEqualTo(answer.at("/charge/rho"));
            } else {
                assertThat(guarantee.get("epsilon").asString()).isEqualTo(epsilon);
                assertThat(new BigDecimal(guarantee.get("delta").asString()))
                        .isIn(BigDecimal.ZERO, new BigDecimal(delta));
            }
        }
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
