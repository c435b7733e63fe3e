package dev.purser.session;

import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.engine.DataEngine;
import dev.purser.http.Sent;
import dev.purser.json.JsonDocument;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.InteractiveSparseVector;
import dev.purser.mechanism.ScanState;
import dev.purser.mechanism.Sensitive;
import dev.purser.noise.DiscreteLaplacePmf;
import dev.purser.noise.SeededBits;
import dev.purser.privacy.Epsilon;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.query.ComparedStatistic;
import dev.purser.store.Database;
import dev.purser.store.StorageException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.commons.math3.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills the service before every outcome of a session, and asks again.
 *
 * <p>The same count is asked for again and again. With one noisy threshold, the number of questions until the count is
 * found above has heavy tails: a threshold that was drawn high stays high. If a kill drew the threshold again, each
 * question would have the same chance to be above.
 */
@Tag("full")
class SessionKillTests {
    /**
     * The number of samples: one for each noisy threshold. On average, all of the first {@link #PATIENCE} questions are
     * below in {@link #STAYING} of them. A sound session leaves the tolerated range once in 100,000 runs. A session
     * that draws anew is within the range even less often. {@link #theTwoAreToldApart} computes both.
     */
    private static final int SAMPLES = 400;

    private static final int PATIENCE = 5;
    private static final int LEAST = 34;
    private static final int MOST = 104;

    private static final int KILLS = 1_000;
    private static final int KILLS_BETWEEN_RESTARTS = 40;

    /** Each noisy threshold has an epsilon of 0.01. Half of it is for the threshold itself: this scale is 1 / 0.005. */
    private static final double SCALE = 200;

    private static final byte[] UPFRONT = OpenSessions.bytes("""
            {"epsilon":"0.01","threshold":0,"maxPositives":1,"queries":"counts","variant":"single-threshold"}""");
    private static final byte[] PER_POSITIVE = OpenSessions.bytes("""
                    {"epsilon":"0.02","threshold":0,"maxPositives":2,"queries":"counts","payment":"per-positive"}""");

    /** Where the service is stopped. A statement of a transaction that is about to be committed fails. */
    private enum Kill {
        SESSION_IS_FOUND(null),
        DATASET_IS_READ(null),
        ROWS_ARE_READ(null),
        CHARGE("INSERT ON question"),
        OPENING("INSERT ON interaction"),
        JOURNAL("INSERT ON journal"),
        CHANGE("UPDATE ON interaction"),
        STEP("INSERT ON interaction_step"),
        REPLY_IS_SENT(null);

        private final @Nullable String statement;

        Kill(@Nullable String statement) {
            this.statement = statement;
        }
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @TempDir
    Path home;

    private final Random random = new Random(20_261_123);
    private Database database;
    private OpenSessions open;
    private Kill kill = Kill.REPLY_IS_SENT;
    private int kills;

    private final DataEngine rows = (debit, dataset, requests) -> {
        strike(Kill.ROWS_ARE_READ);
        return OpenSessions.EMPTY.collect(debit, dataset, requests);
    };

    @BeforeEach
    void openTheLedger() throws SQLException {
        database = GuardedDatabase.open(home);
        open = new OpenSessions(database, rows, OpenSessions.DATASET, fragile());
        open.open.withAccount(OpenInteractions.ACCOUNT, "1000");
    }

    @AfterEach
    void closeTheLedger() throws SQLException {
        assertThat(open.open.ledger.reservations("", 10)).isEmpty();
        assertThat(open.open.ledger.verify(OpenInteractions.ACCOUNT).fault()).isNull();
        database.close();
    }

    private void strike(Kill here) {
        if (kill == here) {
            throw new Killed();
        }
    }

    /** The dataset, with the moments of a kill in its reads. */
    private VisibleDatasets fragile() {
        return DatasetsForTests.visible(
                () -> {
                    strike(Kill.SESSION_IS_FOUND);
                    return OpenSessions.DATASET;
                },
                () -> {
                    strike(Kill.DATASET_IS_READ);
                    return OpenSessions.DATASET;
                });
    }

    /** Kills the service while it works on a request, starts it again, and sends the same request. */
    private byte[] killedAndRepeated(Supplier<ThresholdSessions.Reply> request) throws SQLException {
        ThresholdSessions.Reply lost = null;
        arm(Kill.values()[random.nextInt(Kill.values().length)]);
        try {
            // What this call returns was stored, and sending it was interrupted.
            lost = request.get();
        } catch (Killed | StorageException stopped) {
            kills++;
        } catch (ProblemException stopped) {
            assertThat(stopped.type()).isEqualTo(ProblemType.TEMPORARILY_UNAVAILABLE);
            kills++;
        }
        arm(Kill.REPLY_IS_SENT);
        startAgain();
        ThresholdSessions.Reply reply = request.get();
        if (lost != null) {
            kills++;
            assertThat(reply.body()).isEqualTo(lost.body());
            assertThat(reply.sessionId()).isEqualTo(lost.sessionId());
            assertThat(reply.isReplayed()).isTrue();
        }
        return reply.body();
    }

    private void arm(Kill next) {
        kill = next;
        database.write(Database.NO_ACCOUNT, connection -> {
            connection.update("DROP TRIGGER IF EXISTS temp.kill");
            if (next.statement != null) {
                connection.update("CREATE TEMP TRIGGER kill BEFORE " + next.statement
                        + " BEGIN SELECT RAISE(ABORT, 'killed'); END");
            }
            return null;
        });
    }

    /** Nothing in memory is kept. Sometimes the database is opened anew too. */
    private void startAgain() throws SQLException {
        if (kills % KILLS_BETWEEN_RESTARTS == 0) {
            database.close();
            database = GuardedDatabase.open(home);
        }
        open = new OpenSessions(database, rows, OpenSessions.DATASET, fragile());
    }

    /** How many of the noisy thresholds stayed above the first questions. */
    @Test
    void noKillDrawsAThresholdAgainOrChargesTwice() throws SQLException {
        int samples = 0;
        int staying = 0;
        BigInteger charged = BigInteger.ZERO;
        for (int number = 0; samples < SAMPLES; number++) {
            boolean isUpfront = number % 2 == 0;
            String key = "session " + number;
            byte[] opened = killedAndRepeated(() -> open.open(key, isUpfront ? UPFRONT : PER_POSITIVE));
            String id = OpenSessions.JSON.readTree(opened).get("sessionId").asString();
            List<byte[]> outcomes = new ArrayList<>();
            int positives = 0;
            int thresholds = 0;
            int inVain = PATIENCE;
            while (inVain > 0 && positives < (isUpfront ? 1 : 2)) {
                Sent<SessionQuestion> question = OpenSessions.count(outcomes.size() + 1L);
                thresholds = positives + 1;
                byte[] outcome = killedAndRepeated(() -> open.ask(id, question));
                outcomes.add(outcome);
                boolean isAbove = OpenSessions.isAbove(outcome);
                positives += isAbove ? 1 : 0;
                inVain = isAbove ? PATIENCE : inVain - 1;
            }
            samples += thresholds;
            staying += inVain == 0 ? 1 : 0;
            charged = charged.add(BigInteger.valueOf(10_000_000L * thresholds));
            requireConsistent(id, outcomes, thresholds, inVain > 0);
        }

        assertThat(kills).isGreaterThanOrEqualTo(KILLS);
        assertThat(open.open
                        .ledger
                        .budget(OpenInteractions.ACCOUNT)
                        .spent()
                        .epsilon()
                        .nanos())
                .isEqualTo(charged.longValueExact());
        assertThat(staying).isBetween(LEAST, MOST);
    }

    /** The answers are what is stored, the charge is for the thresholds drawn, and an ended session ended. */
    private void requireConsistent(String id, List<byte[]> outcomes, int thresholds, boolean isEnded) {
        Interaction session = open.sessions.present(open.named(id));
        assertThat(open.sessions.steps(session, 0, 100))
                .extracting(StoredStep::body)
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(outcomes);
        assertThat(session.charged().epsilon()).isEqualTo(new Epsilon(10_000_000L * thresholds));
        assertThat(session.charges()).isEqualTo(thresholds);
        assertThat(session.closedBecause()).isEqualTo(isEnded ? "positives" : null);
        if (!isEnded) {
            open.sessions.delete(session);
        }
        refusedAs(ProblemType.SESSION_CLOSED, () -> open.ask(id, OpenSessions.count(outcomes.size() + 1L)));
        assertThat(open.ask(id, OpenSessions.count(1)).body()).isEqualTo(outcomes.getFirst());
    }

    /** The chance that the threshold is above the first questions, if it is drawn once or again for each question. */
    private static double staying(boolean isDrawnOnce) {
        DiscreteLaplacePmf noise = new DiscreteLaplacePmf(SCALE);
        double once = 0;
        double each = 0;
        for (long offset = (long) (-40 * SCALE); offset <= 40 * SCALE; offset++) {
            double below = 1 - noise.atLeast(offset);
            once += noise.probability(offset) * Math.pow(below, PATIENCE);
            each += noise.probability(offset) * below;
        }
        return isDrawnOnce ? once : Math.pow(each, PATIENCE);
    }

    @Test
    void theTwoAreToldApart() {
        BinomialDistribution sound = new BinomialDistribution(SAMPLES, staying(true));
        BinomialDistribution redrawn = new BinomialDistribution(SAMPLES, staying(false));

        assertThat(sound.getNumericalMean()).isBetween(66.0, 67.0);
        assertThat(redrawn.getNumericalMean()).isBetween(12.0, 13.0);
        assertThat(sound.cumulativeProbability(LEAST - 1) + 1 - sound.cumulativeProbability(MOST))
                .isLessThan(1e-5);
        assertThat(1 - redrawn.cumulativeProbability(LEAST - 1)).isLessThan(1e-5);
    }

    /** If the caller of the same mechanism begins anew with each question, the test finds it. */
    @Test
    void aTwinThatDrawsAgainWouldFail() {
        SeededBits bits = new SeededBits(20_261_124);
        int once = 0;
        int again = 0;
        for (int sample = 0; sample < SAMPLES; sample++) {
            once += stays(bits, false) ? 1 : 0;
            again += stays(bits, true) ? 1 : 0;
        }
        assertThat(once).isBetween(LEAST, MOST);
        assertThat(again).isLessThan(LEAST);
    }

    private static boolean stays(SeededBits bits, boolean drawsAgain) {
        SessionDeclaration declaration =
                JsonDocument.parse(UPFRONT).read(in -> SessionDeclaration.read(in, OpenSessions.DATASET));
        ComparedStatistic question = OpenSessions.count(1).value().read(declaration, OpenSessions.DATASET);
        InteractiveSparseVector mechanism = declaration.mechanism();
        ScanState state = mechanism.begin(bits);
        for (int i = 0; i < PATIENCE; i++) {
            InteractiveSparseVector.Reply reply = mechanism.ask(
                    drawsAgain ? mechanism.begin(bits) : state,
                    question.statistic(),
                    declaration.stepFactor(question),
                    OpenSessions.DATASET.neighborhood(),
                    Sensitive.of(question.requests().stream()
                            .map(request -> Buckets.over(request.edges()).build())
                            .toList()),
                    bits);
            if (reply.above()) {
                return false;
            }
            state = reply.next();
        }
        return true;
    }
}
