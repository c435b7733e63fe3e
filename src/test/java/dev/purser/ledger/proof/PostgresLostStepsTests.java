package dev.purser.ledger.proof;

import dev.purser.journal.Chain;
import dev.purser.journal.Head;
import dev.purser.journal.Journal;
import dev.purser.ledger.OpenLedger;
import dev.purser.problem.ProblemException;
import dev.purser.session.Interaction;
import dev.purser.session.OpenInteractions;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PostgresServer;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a running instance does if a new connection leads to a server that lacks steps that the instance has confirmed.
 */
@Tag("full")
class PostgresLostStepsTests {
    private static final String ACCOUNT = OpenLedger.ACCOUNT;
    private static final String SESSIONS = Chain.ofSessions(ACCOUNT).name();
    private static final String LAST = "chain = '" + SESSIONS + "' AND sequence = (SELECT max(sequence) FROM journal"
            + " WHERE chain = '" + SESSIONS + "')";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final LedgerSettings settings = PostgresServer.shared().newDatabase();
    private PurserHome home;

    @AutoClose
    private Database database;

    private OpenInteractions open;

    @BeforeEach
    void openLedger() {
        home = new PurserHome(folder);
        database = new Database(home, settings);
        LedgerGuard.open(database, anchor(), true, GuardedDatabase.journal());
        open = new OpenInteractions(database, Clock.systemUTC()).withAccount(ACCOUNT, "1");
    }

    private Anchor anchor() {
        return GuardedDatabase.anchor(home, settings);
    }

    private Head confirmed() {
        return Objects.requireNonNull(
                anchor().heads().get(Chain.ofSessions(ACCOUNT).name()));
    }

    private Head stored() {
        return Objects.requireNonNull(database.read(connection -> new Journal(connection).heads())
                .get(Chain.ofSessions(ACCOUNT).name()));
    }

    /** Removes the last step, as a failover to a standby would that did not get the step. */
    private void loseTheLastStep() throws SQLException {
        try (Connection owner = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
                Statement statement = owner.createStatement()) {
            statement.execute("ALTER TABLE interaction_step DISABLE TRIGGER USER");
            assertThat(statement.executeUpdate("DELETE FROM interaction_step WHERE sequence = 2"))
                    .isEqualTo(1);
            statement.execute("ALTER TABLE interaction_step ENABLE TRIGGER USER");
            statement.execute("ALTER TABLE journal DISABLE TRIGGER USER");
            assertThat(statement.executeUpdate("DELETE FROM journal WHERE " + LAST))
                    .isEqualTo(1);
            statement.execute("ALTER TABLE journal ENABLE TRIGGER USER");
        }
    }

    private void loseTheConnection() {
        PostgresServer.shared()
                .execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '"
                        + settings.user() + "' AND application_name LIKE 'purser-writer%'");
    }

    /** The session as it is found on the next connection. */
    private Interaction found(Interaction session) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return open.find(session).interaction();
            } catch (ProblemException notYet) {
                if (System.nanoTime() > end) {
                    throw notYet;
                }
                Thread.sleep(50);
            }
        }
    }

    @Test
    void closesItsSessionsOnceAndKeepsThoseOpenedLater() throws Exception {
        Interaction quiet = open.opened("quiet");
        Interaction asked = open.stepped(open.stepped(open.opened("asked"), "one"), "two");
        Head lost = confirmed();
        loseTheLastStep();
        assertThat(open.find(quiet).interaction().isOpen()).isTrue();

        loseTheConnection();
        assertThat(found(asked).closedBecause()).isEqualTo("restored");
        assertThat(found(quiet).closedBecause()).isEqualTo("restored");
        assertThat(confirmed()).isEqualTo(stored());
        assertThat(confirmed().sequence()).isEqualTo(lost.sequence() + 3);

        Interaction later = open.stepped(open.opened("later"), "one");
        loseTheConnection();
        assertThat(found(later).isOpen()).isTrue();
        assertThat(open.stepped(later, "two").steps()).isEqualTo(2);
        assertThat(open.ledger.verify(ACCOUNT).fault()).isNull();
    }
}
