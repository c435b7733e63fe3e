package dev.purser.query;

import dev.purser.privacy.AuditOutcome;
import dev.purser.web.RunningService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * One audit of replaced units of several rows, through upload, bound and filter. Of a unit of eight rows three stay,
 * and all or none of the three pass the filter. The count of 10 or 13 is asked for at epsilon 1 under replace-one. The
 * event is that the answer is at most 10. By chance the bound on the loss is too large with probability 2e-6 and too
 * small with probability 1e-6. A frequency is off with probability 1.2e-6.
 */
class UnitAuditStatisticalTests extends RunningService {
    private static final String QUESTION = """
                    {"epsilon":1,"where":[{"column":"age","below":50},{"column":"smoker","in":[true]}]}""";

    @Test
    void showsNoLossAboveEpsilon() throws Exception {
        // The expected bound is 0.49, with a deviation of 0.09. A service that takes a unit for a row would show about
        // 2.
        audit(600, 0.05);
    }

    @Tag("deep")
    @Test
    void showsAlmostAllOfEpsilonInFiveThousandAnswers() throws Exception {
        // The expected bound is 0.81, with a deviation of 0.03.
        audit(5_000, 0.65);
    }

    private void audit(int answers, double leastLoss) throws Exception {
        String ten = visits("60,yes");
        String thirteen = visits("30,yes");
        AuditOutcome seen = new AuditOutcome(atMostTen(ten, answers), atMostTen(thirteen, answers), answers);

        assertThat(seen.lossLowerBound()).as("%s", seen).isBetween(leastLoss, 1.0);
        // P(X <= 0) and P(X <= −3) of discrete Laplace noise of scale 3.
        double near = 1 / (1 + Math.exp(-1 / 3.0));
        assertThat(seen.agreesWith(near, near * Math.exp(-1))).as("%s", seen).isTrue();
    }

    /**
     * Ten units of one row that passes the filter, one of a row that does not, and one of eight rows like {@code row}.
     */
    private String visits(String row) throws Exception {
        String id = newId();
        String columns = quoted("[%s,{'name':'smoker','type':'boolean'}]").formatted(AGE);
        String registration = registration(id, columns, "1000000", "replace-one", "");
        assertStatus(201, register(withUnit(registration, "{'type':'column','column':'person','maxRows':3}")));
        StringBuilder csv = new StringBuilder("age,smoker,person\n30,no,k\n");
        for (int i = 0; i < 10; i++) {
            csv.append("30,yes,").append((char) ('a' + i)).append('\n');
            csv.append(i < 8 ? row + ",z\n" : "");
        }
        assertStatus(200, upload(id, ofItsOwn(id, csv.toString())));
        return id;
    }

    private long atMostTen(String dataset, int answers) throws Exception {
        long hits = 0;
        for (JsonNode envelope : askOften(answers, dataset, "count", QUESTION)) {
            hits += envelope.at("/answer/count").asLong() <= 10 ? 1 : 0;
        }
        assertThat(spent(dataset)).isEqualTo(String.valueOf(answers));
        return hits;
    }
}
