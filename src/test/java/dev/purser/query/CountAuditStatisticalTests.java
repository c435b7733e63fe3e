package dev.purser.query;

import dev.purser.privacy.AuditOutcome;
import dev.purser.web.RunningService;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * One audit of the whole service, over HTTP: 10 rows against 11, each count asked for at epsilon 1. The event is that
 * the answer is at most 10. By chance the bound on the loss is too large with probability 2e-6 and too small with
 * probability 1e-6. A frequency is off with probability 1.2e-6.
 */
class CountAuditStatisticalTests extends RunningService {
    /** The probability that the noise of an answer at 0.5 and the noise of its refinement to 1 are both at most 0. */
    private static final double ON_TEN = 0.5592570988;

    @Test
    void showsNoLossAboveEpsilon() throws Exception {
        // The expected bound is 0.56, with a deviation of 0.07. A service with half the noise would show 1.41.
        audit(600, 0.2);
    }

    @Tag("deep")
    @Test
    void showsAlmostAllOfEpsilonInFiveThousandAnswers() throws Exception {
        // The expected bound is 0.84, with a deviation of 0.025.
        audit(5_000, 0.7);
    }

    /**
     * An answer at 0.5 and its refinement to 1 are charged 1, and together lose no more than 1. Both are at most 10
     * with probability 0.559 for 10 rows, and 0.206 for 11 rows. If the refinement had fresh noise, these would be
     * 0.455 and 0.102.
     */
    @Tag("full")
    @Test
    void showsNoLossAboveEpsilonOfAnAnswerAndItsRefinementTogether() throws Exception {
        int pairs = 1_500;
        String ten = dataset("1000000", "sex,age,hours\n" + "Male,30,40\n".repeat(10));
        String eleven = dataset("1000000", "sex,age,hours\n" + "Male,30,40\n".repeat(11));
        AuditOutcome seen = new AuditOutcome(bothAtMostTen(ten, pairs), bothAtMostTen(eleven, pairs), pairs);

        assertThat(seen.lossLowerBound()).as("%s", seen).isBetween(0.2, 1.0);
        assertThat(seen.agreesWith(ON_TEN, ON_TEN * Math.exp(-1)))
                .as("%s", seen)
                .isTrue();
        assertThat(spent(ten)).isEqualTo(String.valueOf(pairs));
    }

    private long bothAtMostTen(String dataset, int pairs) throws Exception {
        long hits = 0;
        for (JsonNode first : askOften(pairs, dataset, "count", quoted("{'epsilon':0.5}"))) {
            String refinements = "/v1/queries/" + first.get("queryId").asString() + "/refinements";
            JsonNode second = json(assertStatus(200, post(refinements, quoted("{'epsilon':0.5}"))));
            boolean isHit = first.at("/answer/count").asLong() <= 10
                    && second.at("/answer/count").asLong() <= 10;
            hits += isHit ? 1 : 0;
        }
        return hits;
    }

    private void audit(int answers, double leastLoss) throws Exception {
        String ten = dataset("1000000", "sex,age,hours\n" + "Male,30,40\n".repeat(10));
        String eleven = dataset("1000000", "sex,age,hours\n" + "Male,30,40\n".repeat(11));
        AuditOutcome seen = new AuditOutcome(atMostTen(ten, answers), atMostTen(eleven, answers), answers);

        assertThat(seen.lossLowerBound()).as("%s", seen).isBetween(leastLoss, 1.0);
        // P(X <= 0) and P(X <= −1) of discrete Laplace noise of scale 1.
        double near = 1 / (1 + Math.exp(-1));
        assertThat(seen.agreesWith(near, 1 - near)).as("%s", seen).isTrue();
        assertThat(spent(ten)).isEqualTo(String.valueOf(answers));
    }

    private long atMostTen(String dataset, int answers) throws Exception {
        long hits = 0;
        Set<String> queries = new HashSet<>();
        for (JsonNode envelope : askOften(answers, dataset, "count", quoted("{'epsilon':1}"))) {
            queries.add(envelope.get("queryId").asString());
            hits += envelope.at("/answer/count").asLong() <= 10 ? 1 : 0;
        }
        assertThat(queries).as("no answer is a replay of another").hasSize(answers);
        return hits;
    }
}
