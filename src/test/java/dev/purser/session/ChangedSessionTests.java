package dev.purser.session;

import dev.purser.digest.Sha256;
import dev.purser.journal.Recorded;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.purser.json.JsonText.quoted;
import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sessions whose rows in the database were changed by somebody who does not have the home. The sessions {@code upfront}
 * and {@code other} are paid. {@code paid} is in its first instance. {@code unpaid} has to pay for its second instance.
 */
@ExtendWith(OutputCaptureExtension.class)
class ChangedSessionTests {
    private static final String DEAR = """
            '{"epsilon":"90","threshold":1000,"maxPositives":2,"queries":"counts","payment":"upfront"}'""";
    private static final String OTHER_THRESHOLD = """
            '{"epsilon":"1","threshold":7,"maxPositives":2,"queries":"counts","payment":"per-positive"}'""";
    private static final String OF_OTHER = " FROM interaction WHERE idempotency_key = 'other')";

    @TempDir
    Path home;

    private Database database;
    private OpenSessions instance;

    @BeforeEach
    void open() throws SQLException {
        database = new Database(new PurserHome(home));
        instance = new OpenSessions(database, OpenSessions.EMPTY);
        instance.open.withAccount(OpenInteractions.ACCOUNT, "10");
        asked("upfront", 1000, "upfront");
        asked("other", 2000, "upfront");
        asked("paid", 1000, "per-positive");
        asked("unpaid", -1000, "per-positive");
        asked("untouched", 1000, "per-positive");
        for (String trigger :
                List.of("interaction_moves_forward", "interaction_step_stays", "question_is_answered_once")) {
            change("DROP TRIGGER " + trigger);
        }
    }

    @AfterEach
    void close() throws SQLException {
        assertThat(instance.ask(id("untouched"), OpenSessions.count(2)).isReplayed())
                .as("others go on")
                .isFalse();
        database.close();
    }

    private void asked(String key, int threshold, String payment) {
        String body = quoted("{'epsilon':'1','threshold':%d,'maxPositives':2,'queries':'counts','payment':'%s'}");
        String id = instance.open(key, OpenSessions.bytes(body.formatted(threshold, payment)))
                .sessionId();
        instance.ask(id, OpenSessions.count(1));
    }

    private String id(String key) {
        return database.read(connection -> connection.first(
                        "SELECT interaction_id FROM interaction WHERE idempotency_key = ?",
                        row -> row.getString(1),
                        key))
                .orElseThrow();
    }

    /** Changes rows that the journal records. */
    private void change(String sql, Object... values) {
        database.write(Database.NO_ACCOUNT, connection -> connection.update(sql, values));
        Recorded.everything(database, GuardedDatabase.kinds());
    }

    private void assertRefused(String key, long sequence, CapturedOutput log) {
        String id = id(key);
        String spent = spent();
        assertThat(refusedAs(ProblemType.INTERNAL_ERROR, () -> instance.ask(id, OpenSessions.count(sequence)))
                        .detail())
                .containsAnyOf("session " + id, "query " + id);
        assertThat(log.getAll().lines().filter(line -> line.contains("ERROR"))).anyMatch(line -> line.contains(id));
        Interaction session = instance.named(id);
        assertThat(instance.sessions.steps(session, sequence - 1, 10)).isEmpty();
        assertThat(spent()).isEqualTo(spent);
    }

    private String spent() {
        return instance.open
                .ledger
                .summary(OpenInteractions.ACCOUNT)
                .spent()
                .epsilon()
                .toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request = CAST(" + DEAR + " AS BLOB)",
                "request = CAST('no declaration' AS BLOB)",
                "request = (SELECT request" + OF_OTHER,
                "request = (SELECT request" + OF_OTHER + ", query_id = (SELECT query_id" + OF_OTHER,
                "query_id = (SELECT query_id" + OF_OTHER,
                "query_id = NULL",
                "query_id = NULL, sealed_state = NULL",
                "sealed_state = (SELECT sealed_state" + OF_OTHER,
                "sealed_state = x'00'",
                "sealed_state = NULL",
                "dataset_id = 'elsewhere'",
                "principal = 'eve'",
                "steps = 5"
            })
    void aPaidSessionAnswersFromNothingElse(String changed, CapturedOutput log) {
        change("UPDATE interaction SET " + changed + " WHERE idempotency_key = 'upfront'");
        assertRefused("upfront", changed.startsWith("steps") ? 6 : 2, log);
    }

    /** If a step could be removed, questions beyond the declared number could be asked. */
    @Test
    void aStepThatIsTakenAwayIsMissed(CapturedOutput log) {
        change("DELETE FROM interaction_step WHERE interaction_id = ?", id("upfront"));
        change("UPDATE interaction SET steps = 0 WHERE idempotency_key = 'upfront'");
        assertRefused("upfront", 1, log);
    }

    /** The entry's hash binds the digest of the request. */
    @Test
    void anotherRequestWithItsOwnDigestIsRefused(CapturedOutput log) {
        byte[] dear = OpenSessions.bytes(DEAR.replace("'", ""));
        change("UPDATE interaction SET request = ? WHERE idempotency_key = 'upfront'", (Object) dear);
        change("UPDATE question SET request_digest = ? WHERE query_id = ?", Sha256.of(dear), id("upfront"));
        assertRefused("upfront", 2, log);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "request = CAST(" + OTHER_THRESHOLD + " AS BLOB)",
                "request = CAST(" + DEAR + " AS BLOB)",
                "query_id = (SELECT query_id" + OF_OTHER,
                "sealed_state = NULL"
            })
    void anInstanceAnswersForItsOwnDeclarationAndCharge(String changed, CapturedOutput log) {
        change("UPDATE interaction SET " + changed + " WHERE idempotency_key = 'paid'");
        assertRefused("paid", 2, log);
    }

    @Test
    void aChargePaysForNoSecondInstance(CapturedOutput log) {
        change(
                "UPDATE interaction SET query_id = (SELECT query_id FROM question WHERE operation LIKE ?)"
                        + " WHERE idempotency_key = 'unpaid'",
                "%" + id("unpaid") + "%");
        assertRefused("unpaid", 2, log);
    }

    @Test
    void theNextInstanceIsNotPaidForAnotherDeclaration(CapturedOutput log) {
        change("UPDATE interaction SET request = CAST(" + OTHER_THRESHOLD
                + " AS BLOB) WHERE idempotency_key = 'unpaid'");
        assertRefused("unpaid", 2, log);
    }
}
