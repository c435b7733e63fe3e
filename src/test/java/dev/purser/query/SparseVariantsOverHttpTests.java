package dev.purser.query;

import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.web.RunningService;
import java.math.BigDecimal;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/** The variants of a sparse-range question: their names, what they state, promise and charge, and what is refused. */
class SparseVariantsOverHttpTests extends RunningService {
    private static String question(int ranges, int maxPositives, String more) {
        String listed = String.join(",", Collections.nCopies(ranges, "{'atLeast':1}"));
        return "{'column':'age','threshold':0,'ranges':[%s],'maxPositives':%d,%s}"
                .formatted(listed, maxPositives, more)
                .replace('\'', '"');
    }

    private JsonNode asked(String id, int ranges, int maxPositives, String more) throws Exception {
        return answered(id, "sparse-range", question(ranges, maxPositives, more));
    }

    @ParameterizedTest
    @CsvSource({
        "automatic, indices, sparse, discrete-laplace",
        "automatic, values, numeric-sparse, discrete-laplace",
        "single-threshold, gaps, sparse-gaps, discrete-laplace",
        "restart, indices, sparse-restart, discrete-laplace",
        "restart, values, numeric-sparse-restart, discrete-laplace",
        "restart, gaps, sparse-gaps-restart, discrete-laplace",
        "one-sided, indices, sparse-one-sided, one-sided-geometric",
        "one-sided, values, numeric-sparse-one-sided, one-sided-geometric",
        "one-sided, gaps, sparse-gaps-one-sided, one-sided-geometric",
        "adaptive, indices, sparse-adaptive, discrete-laplace",
        "adaptive, gaps, sparse-gaps-adaptive, discrete-laplace"
    })
    void areNamedInTheAnswer(String variant, String release, String name, String noise) throws Exception {
        String id = dataset("pure", "1", "0");
        JsonNode answer = asked(id, 9, 3, "'epsilon':0.5,'variant':'" + variant + "','release':'" + release + "'");

        assertThat(answer.at("/mechanism/name").asString()).isEqualTo(name);
        assertThat(answer.at("/mechanism/noise").asString()).isEqualTo(noise);
        assertThat(answer.get("charge")).hasToString(quoted("{'epsilon':'0.5','delta':'0'}"));
        assertThat(answer.at("/guarantee/epsilon").asString()).isEqualTo("0.5");
        String bound = answer.at("/accuracy/alpha").decimalValue().toPlainString();
        String statement = answer.at("/accuracy/statement").asString();
        assertThat(statement)
                .startsWith("Of the ranges looked at, every positive one holds at least threshold - " + bound
                        + " rows and every other at most threshold + " + bound)
                .endsWith("; all of this together, except with probability at most 0.05.");
        assertThat(statement.contains("every value is within " + bound + " of the exact count"))
                .isEqualTo(release.equals("values"));
        assertThat(statement.contains("nothing is stated about the gaps")).isEqualTo(release.equals("gaps"));
        assertThat(statement.contains("the raised threshold"))
                .isEqualTo(release.equals("gaps") && variant.equals("one-sided"));
        for (JsonNode positive : answer.at("/answer/positives")) {
            assertThat(positive.has("value")).isEqualTo(release.equals("values"));
            assertThat(positive.has("interval")).isEqualTo(release.equals("values"));
            assertThat(positive.has("gap")).isEqualTo(release.equals("gaps"));
        }
    }

    @Test
    void statesLessForOneSidedNoiseAndTheSameForWhatIsPicked() throws Exception {
        String id = dataset("pure", "10", "0");
        BigDecimal picked = alpha(asked(id, 100, 5, "'epsilon':1"));
        assertThat(alpha(asked(id, 100, 5, "'epsilon':1,'variant':'single-threshold'")))
                .isEqualByComparingTo(picked);
        assertThat(alpha(asked(id, 100, 5, "'epsilon':1,'variant':'restart'"))).isGreaterThan(picked);
        assertThat(alpha(asked(id, 100, 5, "'epsilon':1,'variant':'one-sided'")))
                .isLessThan(picked.multiply(new BigDecimal("0.65")));
    }

    private static BigDecimal alpha(JsonNode answer) {
        return answer.at("/accuracy/alpha").decimalValue();
    }

    @Test
    void haveTheTextbooksDeltaWithTheCorrectedBound() throws Exception {
        String id = dataset("approximate", "2", "1e-5");
        String textbook = "'epsilon':1,'delta':'1e-6','allocation':'textbook','release':";
        JsonNode values = asked(id, 1_000, 10, textbook + "'values'");
        assertThat(values.at("/mechanism/name").asString()).isEqualTo("numeric-sparse-textbook");
        assertThat(alpha(values).doubleValue()).isCloseTo(4822.895494, withinPercentage(1e-7));
        assertThat(values.get("charge")).hasToString(quoted("{'epsilon':'1','delta':'0.000001'}"));
        assertThat(values.at("/guarantee/epsilon").asString()).isEqualTo("1");
        assertThat(values.at("/guarantee/delta").asString()).isEqualTo("0.000001");

        JsonNode indices = asked(id, 1_000, 10, textbook + "'indices'");
        assertThat(alpha(indices).doubleValue()).isCloseTo(3430.693297, withinPercentage(1e-7));
    }

    @Test
    void refuseATextbooksDeltaThatDoesNotHoldBeforeAnythingIsCharged() throws Exception {
        String id = dataset("approximate", "100", "1e-5");
        for (String release : new String[] {"indices", "values", "gaps"}) {
            String textbook = "'epsilon':100,'delta':'1e-6','release':'" + release + "','allocation':";
            assertProblem(
                    422, "mechanism-not-private", ask(id, "sparse-range", question(3, 1, textbook + "'textbook'")));
        }
        assertThat(spent(id)).isEqualTo("0");
        asked(id, 3, 1, "'epsilon':100,'delta':'1e-6','allocation':'optimal'");
    }

    @Test
    void restartForManyPositivesWhereRhosAddUp() throws Exception {
        String id = dataset("zcdp", "20", "1e-6");
        String rho = ConcentratedPrivacy.ofPure(Epsilon.parse("1")).toString();
        String converted = ConcentratedPrivacy.epsilon(
                        ConcentratedPrivacy.ofPure(Epsilon.parse("1")), Delta.parse("1e-6"))
                .toString();

        JsonNode one = asked(id, 100, 1, "'epsilon':1");
        assertThat(one.at("/mechanism/name").asString()).isEqualTo("sparse");
        assertThat(one.at("/guarantee/epsilon").asString()).isEqualTo("1");
        assertThat(one.at("/guarantee/rho").isMissingNode()).isTrue();
        assertThat(one.at("/charge/rho").asString()).isEqualTo(rho);

        JsonNode many = asked(id, 100, 100, "'epsilon':1");
        assertThat(many.at("/mechanism/name").asString()).isEqualTo("sparse-restart");
        assertThat(alpha(many).doubleValue()).isCloseTo(330, withinPercentage(1));
        assertThat(many.at("/guarantee/rho").asString()).isEqualTo(rho);
        assertThat(many.at("/guarantee/epsilon").asString()).isEqualTo(converted);
        assertThat(many.at("/guarantee/delta").asString()).isEqualTo("0.000001");
        assertThat(many.at("/charge/rho").asString()).isEqualTo(rho);

        JsonNode values = asked(id, 100, 100, "'epsilon':1,'release':'values'");
        assertThat(values.at("/mechanism/name").asString()).isEqualTo("numeric-sparse-restart");
        assertThat(values.at("/mechanism/parameters/valueNoise").asString()).isEqualTo("discrete-gaussian");
        assertThat(values.at("/charge/rho").asString()).isEqualTo(rho);
    }

    @ParameterizedTest
    @CsvSource({
        "restart, indices, textbook, 'variant must be \"automatic\" with the allocation \"textbook\"'",
        "adaptive, gaps, textbook, 'variant must be \"automatic\" with the allocation \"textbook\"'",
        "adaptive, values, optimal, 'variant \"adaptive\" releases indices or gaps, not values'",
        "two-sided, indices, optimal, variant"
    })
    void areRefusedWhereThereIsNone(String variant, String release, String allocation, String text) throws Exception {
        String id = dataset("pure", "1", "0");
        String sent = "'epsilon':0.5,'variant':'" + variant + "','release':'" + release + "','allocation':'"
                + allocation + "'";
        JsonNode problem = assertProblem(422, "validation-failed", ask(id, "sparse-range", question(3, 1, sent)));
        assertThat(places(problem)).containsExactly("/variant");
        assertThat(problem.toString()).contains(text.replace("\"", "\\\""));
        assertThat(spent(id)).isEqualTo("0");
    }
}
