package dev.purser.ledger.proof;

import dev.purser.accounting.PureAccountant;
import dev.purser.journal.Head;
import dev.purser.ledger.BudgetLedger;
import dev.purser.ledger.LastBlocks;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.OpenLedger;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.session.Interaction;
import dev.purser.session.OpenInteractions;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.MacKey;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.Tampering;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a start does with a database that somebody else, a restored backup or a crash has left. */
class LedgerGuardTests {
    private static final String ACCOUNT = OpenLedger.ACCOUNT;
    private static final int QUESTIONS = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    Path folder;

    private Path homeFolder;

    /** A ledger as the service opens it. */
    private final class Guarded implements AutoCloseable {
        final Database database;
        final BudgetLedger ledger;

        Guarded() throws SQLException {
            this(false);
        }

        Guarded(boolean mayBeginAnew) throws SQLException {
            PurserHome home = new PurserHome(homeFolder);
            database = new Database(home);
            try {
                LedgerGuard.open(database, GuardedDatabase.anchor(home), mayBeginAnew, GuardedDatabase.journal());
            } catch (RuntimeException refusal) {
                database.close();
                throw refusal;
            }
            ledger = new BudgetLedger(database, Clock.systemUTC(), RANDOM);
        }

        void ask(String key) {
            ReserveOutcome admission = ledger.reserve(OpenLedger.question(ACCOUNT, "ana", key, "0.1"));
            ledger.settle(((ReserveOutcome.Reserved) admission).debit(), "answer".getBytes(UTF_8));
        }

        @Override
        public void close() throws SQLException {
            database.close();
        }
    }

    @BeforeEach
    void askQuestions() throws SQLException {
        homeFolder = folder.resolve("home");
        try (Guarded open = new Guarded()) {
            open.database.write(ACCOUNT, connection -> {
                open.ledger.open(
                        connection,
                        ACCOUNT,
                        new PureAccountant(),
                        PrivacyAmount.pure(Epsilon.parse("100")),
                        null,
                        "carla");
                return null;
            });
            for (int i = 0; i < QUESTIONS / 2; i++) {
                open.ask("k" + i);
            }
            open.ledger.setAllotment(ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse("50")), "carla");
            for (int i = QUESTIONS / 2; i < QUESTIONS; i++) {
                open.ask("k" + i);
            }
        }
    }

    private void start() throws SQLException {
        new Guarded().close();
    }

    private void refuses(String reason) {
        assertThatThrownBy(this::start)
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining(reason)
                .satisfies(refusal ->
                        assertThat(((StartupRefusal) refusal).action()).isNotBlank());
    }

    private void tamper(String... statements) throws SQLException {
        Tampering.tamper(homeFolder, LedgerSettings.embedded(), statements);
    }

    @Test
    void startsOnWhatItLeft() throws SQLException {
        start();
        start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "day", "day x 7 date", "week 2026-01-05 x date", "0 1 7 age", "day 2026-01-01 0 date"})
    void blocksThatCannotBeReadAreRefused(String blocks) throws SQLException {
        tamper("UPDATE entry SET blocks = '" + blocks + "' WHERE sequence = 1");
        refuses("account " + ACCOUNT);
    }

    @Test
    void twoEntriesSwappedAreRefused() throws SQLException {
        tamper(
                "UPDATE entry SET sequence = 1000 WHERE sequence = 5",
                "UPDATE entry SET sequence = 5 WHERE sequence = 6",
                "UPDATE entry SET sequence = 6 WHERE sequence = 1000");
        refuses("account " + ACCOUNT);
    }

    /** Only the anchor reveals the cut: books, sums and questions agree with each other. */
    @Test
    void aTailCutOffWithItsSummaryIsRefused() throws SQLException {
        int last = QUESTIONS + 2;
        tamper(
                "DELETE FROM question WHERE sequence = " + last,
                "DELETE FROM entry WHERE sequence = " + last,
                "UPDATE account SET head_sequence = head_sequence - 1,"
                        + " spent_epsilon_nanos = spent_epsilon_nanos - 100000000,"
                        + " head_hash = (SELECT hash FROM entry ORDER BY sequence DESC LIMIT 1)",
                "UPDATE allotment SET spent_epsilon_nanos = spent_epsilon_nanos - 100000000");
        refuses("The ledger of account " + ACCOUNT + " ends at entry " + (last - 1) + "; entry " + last
                + " was confirmed.");
    }

    @Test
    void aWholeAccountRemovedIsRefused() throws SQLException {
        tamper("DELETE FROM question", "DELETE FROM entry", "DELETE FROM allotment", "DELETE FROM account");
        refuses("The ledger has no account " + ACCOUNT + "; its entry " + (QUESTIONS + 2) + " was confirmed.");
    }

    private void copyTheDatabase(Path from, Path to) throws IOException {
        for (String file : List.of("ledger.db", "ledger.db-wal", "ledger.db-shm")) {
            Files.deleteIfExists(to.resolve(file));
            if (Files.exists(from.resolve(file))) {
                Files.copy(from.resolve(file), to.resolve(file));
            }
        }
    }

    private void spendAfterACopyAndPutItBack() throws IOException, SQLException {
        copyTheDatabase(homeFolder, folder);
        try (Guarded open = new Guarded()) {
            open.ask("later");
        }
        copyTheDatabase(folder, homeFolder);
    }

    @Test
    void anOlderCopyIsRefused() throws IOException, SQLException {
        spendAfterACopyAndPutItBack();
        refuses("ends at entry " + (QUESTIONS + 2) + "; entry " + (QUESTIONS + 3) + " was confirmed.");
    }

    /** The restored ledger goes on and reaches the same length: the hash at the confirmed entry differs. */
    @Test
    void anOlderCopyThatWentOnIsRefused() throws IOException, SQLException {
        spendAfterACopyAndPutItBack();
        Path anchor = homeFolder.resolve("ledger.anchor");
        Path kept = Files.move(anchor, folder.resolve("kept"));
        try (Guarded open = new Guarded(true)) {
            open.ask("other");
        }
        Files.move(kept, anchor, StandardCopyOption.REPLACE_EXISTING);

        refuses("Entry " + (QUESTIONS + 3) + " of the ledger of account " + ACCOUNT
                + " is not the one that was confirmed.");
    }

    @Test
    void aMissingAnchorIsRefusedUnlessInstancesShareTheLedger() throws IOException, SQLException {
        Files.delete(homeFolder.resolve("ledger.anchor"));
        refuses("its anchor ledger.anchor is missing");
        new Guarded(true).close();
        start();
    }

    /**
     * The service was killed between the commit and the anchor: the ledger is ahead, and nobody saw the new entries.
     */
    @Test
    void aLedgerAheadOfItsAnchorIsAccepted() throws IOException, SQLException {
        Path anchor = homeFolder.resolve("ledger.anchor");
        byte[] before = Files.readAllBytes(anchor);
        try (Guarded open = new Guarded()) {
            open.ask("later");
        }
        Files.write(anchor, before);

        start();
        assertThat(confirmedSequence()).isEqualTo(QUESTIONS + 3L);
    }

    private long confirmedSequence() {
        PurserHome home = new PurserHome(homeFolder);
        Head head = GuardedDatabase.anchor(home).heads().get(ACCOUNT);
        return head == null ? 0 : head.sequence();
    }

    @Test
    void everyAnsweredEntryIsConfirmed() throws SQLException {
        try (Guarded open = new Guarded()) {
            for (int i = 0; i < 5; i++) {
                open.ask("more" + i);
                assertThat(confirmedSequence()).isEqualTo(QUESTIONS + 3L + i);
            }
        }
    }

    private void accept(boolean withAnchor) throws SQLException {
        PurserHome home = new PurserHome(homeFolder);
        SigningKey key = SigningKeys.of(home, "").newest();
        try (Database database = new Database(home)) {
            Map<String, Head> confirmed =
                    withAnchor ? GuardedDatabase.anchor(home).heads() : null;
            LedgerGuard.accept(
                    database,
                    confirmed,
                    new LastBlocks(Map.of()),
                    Anchor.anew(home, MacKey.of(home, LedgerSettings.embedded())),
                    Clock.systemUTC(),
                    GuardedDatabase.journal());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAcceptedOlderCopyHasNothingLeft(boolean withAnchor) throws IOException, SQLException {
        spendAfterACopyAndPutItBack();
        accept(withAnchor);

        try (Guarded open = new Guarded()) {
            assertThat(open.ledger.budget(ACCOUNT).remaining()).isEqualTo(PrivacyAmount.ZERO);
            LedgerEntry last = open.ledger.entries(ACCOUNT, QUESTIONS + 2, 10).getLast();
            assertThat(last.analyst()).isEqualTo("operator");
            assertThatThrownBy(() -> open.ask("again")).isInstanceOf(ProblemException.class);
        }
    }

    @Test
    void acceptingDoesNotForgiveUnsoundBooks() throws SQLException {
        tamper("UPDATE account SET spent_epsilon_nanos = 1");
        assertThatThrownBy(() -> accept(true))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("not sound");
    }

    private static OpenInteractions interactions(Guarded open) {
        return new OpenInteractions(open.database, Clock.systemUTC());
    }

    /** The reason why each session is closed; "open" for an open session. */
    private static List<String> states(Guarded open, Interaction... sessions) {
        return Stream.of(sessions)
                .map(session -> interactions(open).find(session).interaction())
                .map(now -> now.isOpen() ? "open" : now.closedBecause() + (now.sealedState() == null ? "" : " sealed"))
                .toList();
    }

    /** The account is charged nothing for the closed sessions: their cost was charged when they were opened. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOlderCopyThatLacksStepsOnlyIsServedWithoutItsSessions(boolean hadStepsBefore) throws Exception {
        Interaction asked;
        Interaction other;
        Interaction elsewhere;
        try (Guarded open = new Guarded()) {
            interactions(open).withAccount("other", "1");
            asked = interactions(open).opened("asked");
            other = interactions(open).opened("other");
            elsewhere = interactions(open).openedOn("other", "elsewhere");
            if (hadStepsBefore) {
                asked = interactions(open).stepped(asked, "one");
            }
        }
        copyTheDatabase(homeFolder, folder);
        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked, other, elsewhere)).containsExactly("open", "open", "open");
            interactions(open).stepped(asked, "lost");
        }
        copyTheDatabase(folder, homeFolder);

        Interaction later;
        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked, other, elsewhere)).containsExactly("restored", "restored", "open");
            assertThat(open.ledger.budget(ACCOUNT).spent().epsilon()).hasToString("1.8");
            assertThat(interactions(open).interactions.commit(asked, OpenInteractions.anyStep()))
                    .isEmpty();
            later = interactions(open).stepped(interactions(open).opened("later"), "first");
        }
        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked, later, elsewhere)).containsExactly("restored", "open", "open");
        }
    }

    /** The restored chain goes on and reaches the same length: the hash of the confirmed step differs. */
    @Test
    void anOlderCopyWhoseStepsWentOnIsServedWithoutItsSessions() throws Exception {
        Interaction asked;
        try (Guarded open = new Guarded()) {
            asked = interactions(open).stepped(interactions(open).opened("asked"), "one");
        }
        copyTheDatabase(homeFolder, folder);
        try (Guarded open = new Guarded()) {
            interactions(open).stepped(asked, "two");
        }
        copyTheDatabase(folder, homeFolder);
        Path anchor = homeFolder.resolve("ledger.anchor");
        Path kept = Files.move(anchor, folder.resolve("kept"));
        try (Guarded open = new Guarded(true)) {
            asked = interactions(open).stepped(asked, "another");
            assertThat(states(open, asked)).containsExactly("open");
        }
        Files.move(kept, anchor, StandardCopyOption.REPLACE_EXISTING);

        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked)).containsExactly("restored");
        }
    }

    @Test
    void aSoundLedgerKeepsItsSessionsOverEveryStart() throws SQLException {
        Interaction asked;
        try (Guarded open = new Guarded()) {
            asked = interactions(open).opened("asked");
        }
        for (int i = 1; i <= 5; i++) {
            try (Guarded open = new Guarded()) {
                asked = interactions(open).stepped(asked, "step " + i);
                assertThat(asked.steps()).isEqualTo(i);
            }
        }
    }

    /**
     * The service was killed between the commit of a step and the anchor. Nobody saw the outcome, and a retry gets it.
     */
    @Test
    void aStepAheadOfItsAnchorKeepsItsSession() throws Exception {
        Interaction asked;
        try (Guarded open = new Guarded()) {
            asked = interactions(open).opened("asked");
        }
        Path anchor = homeFolder.resolve("ledger.anchor");
        byte[] before = Files.readAllBytes(anchor);
        try (Guarded open = new Guarded()) {
            asked = interactions(open).stepped(asked, "one");
        }
        Files.write(anchor, before);

        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked)).containsExactly("open");
        }
    }

    @Test
    void anOlderCopyThatLacksEntriesIsRefusedWhateverItsSteps() throws Exception {
        Interaction asked = askInASessionAndLoseItWithAnEntry();
        refuses("ends at entry ");

        accept(true);
        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked)).containsExactly("restored");
            assertThat(open.ledger.budget(ACCOUNT).remaining()).isEqualTo(PrivacyAmount.ZERO);
        }
        start();
    }

    private Interaction askInASessionAndLoseItWithAnEntry() throws IOException, SQLException {
        Interaction asked;
        try (Guarded open = new Guarded()) {
            asked = interactions(open).stepped(interactions(open).opened("asked"), "one");
        }
        copyTheDatabase(homeFolder, folder);
        try (Guarded open = new Guarded()) {
            interactions(open).stepped(asked, "two");
            open.ask("later");
        }
        copyTheDatabase(folder, homeFolder);
        return asked;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acceptingClosesTheSessionsOfWhatItCannotVerify(boolean withAnchor) throws IOException, SQLException {
        Interaction asked;
        Interaction elsewhere;
        try (Guarded open = new Guarded()) {
            interactions(open).withAccount("other", "1");
            asked = interactions(open).stepped(interactions(open).opened("asked"), "one");
            elsewhere = interactions(open).openedOn("other", "elsewhere");
        }
        copyTheDatabase(homeFolder, folder);
        try (Guarded open = new Guarded()) {
            interactions(open).stepped(asked, "two");
        }
        copyTheDatabase(folder, homeFolder);

        accept(withAnchor);

        try (Guarded open = new Guarded()) {
            assertThat(states(open, asked, elsewhere)).containsExactly("restored", withAnchor ? "open" : "restored");
            assertThat(open.ledger.budget(ACCOUNT).remaining().epsilon()).hasToString(withAnchor ? "98.3" : "0");
            Interaction later = withAnchor ? interactions(open).opened("later") : elsewhere;
            assertThat(states(open, later)).containsExactly(withAnchor ? "open" : "restored");
        }
    }
}
