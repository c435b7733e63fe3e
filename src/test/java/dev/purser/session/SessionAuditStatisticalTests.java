package dev.purser.session;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.engine.BucketRequest;
import dev.purser.engine.DataEngine;
import dev.purser.ledger.RequestIdentity;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.privacy.AuditOutcome;
import dev.purser.store.Database;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Audits of sessions as they are served: each draw opens a session over a real database and asks in it, adaptively,
 * until the transcript is the event or cannot become it.
 *
 * <p>The loss that is shown is at most epsilon, and both frequencies agree with the stated noise. The frequencies are
 * the sharper test: with a threshold drawn for each question, {@code EIGHT_THEN_ONE} would happen with probability
 * 0.058 instead of 0.189. Each frequency may be five standard deviations off, and each bound fails with probability
 * 1e-6. The other rows are 5 to 12 of the usual audits of the sparse vector technique. Their broken variants are twins
 * of the mechanism.
 */
class SessionAuditStatisticalTests {
    private static final int ASKERS = 32;

    /**
     * One sum is asked for until it was below {@code negatives} times, and then another sum until it was above
     * {@code positives} times. An added row has the value {@code rise} in the first sum and {@code fall} in the other.
     */
    private enum Row {
        NUMERIC("values", 2, 1, 6, 0, 5, 4, 4, 5),
        GAPS("gaps", 2, 1, 6, 0, 5, 4, 4, 5),
        TEN_THEN_ONE("indices", 1, 1, 10, -1, 1, 1, -1, -1),
        TEN_THEN_ONE_AT_THE_THRESHOLD("indices", 1, 1, 10, -1, 0, 1, -1, -1),
        TEN_AT_THE_THRESHOLD_THEN_ONE("indices", 1, 1, 10, 0, 1, 1, -1, -1),
        TEN_THEN_THREE("indices", 1, 3, 10, -2, 0, 1, -1, -1),
        FIVE_THEN_THREE("indices", 1, 3, 5, -2, 0, 1, -1, -1),
        EIGHT_THEN_ONE("indices", 4, 1, 8, -1, 3, 1, -1, -1);

        final String release;
        final int epsilon;
        final int positives;
        final int negatives;
        final int low;
        final int high;
        final int rise;
        final int fall;
        /** The most that a released value or gap may be. */
        final int most;

        Row(
                String release,
                int epsilon,
                int positives,
                int negatives,
                int low,
                int high,
                int rise,
                int fall,
                int most) {
            this.release = release;
            this.epsilon = epsilon;
            this.positives = positives;
            this.negatives = negatives;
            this.low = low;
            this.high = high;
            this.rise = rise;
            this.fall = fall;
            this.most = most;
        }

        String opening() {
            return """
                    {"epsilon":%s,"threshold":0,"maxPositives":%d,"release":"%s","queries":"sums","sumBound":%d,\
                    "variant":"single-threshold"}""".formatted(epsilon, positives, release, Math.abs(rise));
        }

        /** The probability of the event, from the noise that the session states. */
        double probability(JsonNode mechanism, int rows) {
            JsonNode stated = mechanism.get("parameters");
            DiscreteLaplacePmf threshold =
                    new DiscreteLaplacePmf(stated.get("thresholdScale").asDouble());
            DiscreteLaplacePmf comparison =
                    new DiscreteLaplacePmf(stated.get("comparisonScale").asDouble());
            int one = low + rows * rise;
            int other = high + rows * fall;
            double sum = 0;
            for (int offset = -2_000; offset <= 2_000; offset++) {
                double above = comparison.atLeast(offset - other)
                        - (release.equals("gaps") ? comparison.atLeast(offset - other + most + 1) : 0);
                sum += threshold.probability(offset)
                        * Math.pow(comparison.atMost(offset - one - 1), negatives)
                        * Math.pow(above, positives);
            }
            return release.equals("values")
                    ? sum * new DiscreteLaplacePmf(stated.get("valueScale").asDouble()).atMost(most - other)
                    : sum;
        }
    }

    private static final Dataset DATASET = DatasetsForTests.rows(
            OpenInteractions.ACCOUNT, DatasetsForTests.integer("one", -1, 4), DatasetsForTests.integer("other", -1, 4));

    @TempDir
    Path home;

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = "EIGHT_THEN_ONE")
    void showsNoMoreThanEpsilon(Row row) throws Exception {
        audit(row, 1_000);
    }

    @Tag("deep")
    @ParameterizedTest
    @EnumSource
    void showsNoMoreThanEpsilonInManySessions(Row row) throws Exception {
        audit(row, 20_000);
    }

    private void audit(Row row, int draws) throws Exception {
        try (Database database = GuardedDatabase.open(home)) {
            new OpenInteractions(database, Clock.systemUTC()).withAccount(OpenInteractions.ACCOUNT, "1000000");
            OpenSessions without = new OpenSessions(database, engine(row, 0), DATASET);
            OpenSessions with = new OpenSessions(database, engine(row, 1), DATASET);
            JsonNode mechanism = OpenSessions.JSON
                    .readTree(open(without, row, "stated").body())
                    .get("mechanism");
            AuditOutcome seen =
                    new AuditOutcome(hits(without, row, "without", draws), hits(with, row, "with", draws), draws);

            assertThat(seen.lossLowerBound()).as("%s", seen).isLessThanOrEqualTo(row.epsilon);
            double probability = row.probability(mechanism, 0);
            double neighbor = row.probability(mechanism, 1);
            assertThat(Math.abs(Math.log(probability / neighbor))).isLessThanOrEqualTo(row.epsilon);
            assertThat(seen.agreesWith(probability, neighbor))
                    .as("%s, expected %s and %s", seen, draws * probability, draws * neighbor)
                    .isTrue();
        }
    }

    /** An engine with the sums of a dataset with {@code rows} more rows. */
    private static DataEngine engine(Row row, int rows) {
        return (debit, dataset, requests) -> {
            List<Buckets> tables = new ArrayList<>();
            for (BucketRequest request : requests) {
                boolean isOne = Objects.requireNonNull(request.column()).name().equals("one");
                long sum = isOne ? row.low + (long) rows * row.rise : row.high + (long) rows * row.fall;
                Buckets.Builder table = Buckets.over(request.edges());
                if (sum != 0) {
                    table.add(Long.signum(sum), Math.abs(sum));
                }
                tables.add(table.build());
            }
            return Sensitive.of(tables);
        };
    }

    private static ThresholdSessions.Reply open(OpenSessions instance, Row row, String key) {
        return instance.open(new RequestIdentity(key, "POST /sessions", key), OpenSessions.bytes(row.opening()));
    }

    private static long hits(OpenSessions instance, Row row, String name, int draws) throws Exception {
        List<Future<Boolean>> drawn = new ArrayList<>();
        try (ExecutorService askers = Executors.newFixedThreadPool(ASKERS)) {
            for (int draw = 0; draw < draws; draw++) {
                String key = name + draw;
                drawn.add(askers.submit(() -> isEvent(instance, row, key)));
            }
        }
        long hits = 0;
        for (Future<Boolean> each : drawn) {
            hits += each.get() ? 1 : 0;
        }
        return hits;
    }

    private static boolean isEvent(OpenSessions instance, Row row, String key) {
        String session = open(instance, row, key).sessionId();
        for (int sequence = 1; sequence <= row.negatives + row.positives; sequence++) {
            boolean hoped = sequence > row.negatives;
            JsonNode outcome =
                    OpenSessions.JSON.readTree(ask(instance, row, session, sequence, hoped ? "other" : "one"));
            if (outcome.get("outcome").asString().equals("ABOVE") != hoped) {
                return false;
            }
            JsonNode released = outcome.has("value") ? outcome.get("value") : outcome.get("gap");
            if (released != null && released.decimalValue().intValueExact() > row.most) {
                return false;
            }
        }
        return true;
    }

    private static byte[] ask(OpenSessions instance, Row row, String session, int sequence, String column) {
        String body = quoted("{'sequence':%d,'query':{'sum':{'column':'%s','lower':-1,'upper':%d}}}");
        return instance.ask(session, OpenSessions.question(body, sequence, column, row.rise))
                .body();
    }
}
