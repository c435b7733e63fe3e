package dev.purser.ledger;

import dev.purser.journal.ChangedRows;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.ledger.proof.Receipts;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.session.Interaction;
import dev.purser.session.OpenInteractions;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.Tampering;
import dev.purser.store.TestHomes;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Questions, answers and sessions that were changed by somebody who has the database but not the home. */
abstract class TamperedQuestionsContract {
    private static final String ACCOUNT = OpenInteractions.ACCOUNT;
    private static final Duration ANY_AGE = Duration.ofDays(1);

    @TempDir
    Path folder;

    private LedgerSettings settings;
    private PurserHome home;

    @AutoClose
    private Database database;

    private OpenInteractions open;
    private CommittedDebit answered;
    private CommittedDebit other;
    private CommittedDebit reserved;
    private Interaction session;

    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    void askQuestions() throws SQLException {
        settings = settings();
        home = TestHomes.at(folder.resolve("home"));
        start();
        open.withAccount(ACCOUNT, "100").withAccount("fresh", "100");
        answered = answered("k", "form");
        other = answered("other", "other form");
        reserved = ((ReserveOutcome.Reserved) open.ledger.reserve(question("reserved", "third form"))).debit();
        open.ledger.reserve(question("bob", "again", "form"));
        session = open.stepped(open.stepped(open.opened("session"), "one"), "two");
    }

    private void start() throws SQLException {
        database = new Database(home, settings);
        try {
            GuardedDatabase.guard(database, home, settings, GuardedDatabase.journal());
        } catch (RuntimeException refusal) {
            database.close();
            throw refusal;
        }
        open = new OpenInteractions(database, Clock.systemUTC());
    }

    private static ChargeRequest question(String key, String form) {
        return question("ana", key, form);
    }

    private static ChargeRequest question(String analyst, String key, String form) {
        return OpenLedger.question(ACCOUNT, analyst, key, form, ANY_AGE);
    }

    private CommittedDebit answered(String key, String form) {
        CommittedDebit debit = ((ReserveOutcome.Reserved) open.ledger.reserve(question(key, form))).debit();
        open.ledger.settle(debit, ("answer to " + key).getBytes(UTF_8));
        return debit;
    }

    /** A long answer is refused before a byte of a changed piece is given out. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE answer_piece SET content = CAST('x' AS %s) WHERE piece = 2",
                "UPDATE answer_piece SET piece = 9 WHERE piece = 2",
                "DELETE FROM answer_piece WHERE piece = 2"
            })
    void aChangedPieceOfALongAnswer(String change) throws SQLException {
        StoredAnswer stored = longAnswer();

        tamper(change.formatted(settings.isEmbedded() ? "BLOB" : "BYTEA"));

        InputStream sent = open.ledger.open(stored, 0);
        isNoticed("answer " + stored.queryId(), () -> sent.skipNBytes(3 * StoredAnswer.MAX_BEGINNING));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE question SET body = CAST('x' AS %s) WHERE length(body) = 65536",
                "UPDATE long_answer SET length = 65537",
                "UPDATE long_answer SET digests = CAST('x' AS %s)",
                "DELETE FROM long_answer"
            })
    void aChangedRecordOfALongAnswer(String change) throws SQLException {
        StoredAnswer stored = longAnswer();

        tamper(change.formatted(settings.isEmbedded() ? "BLOB" : "BYTEA"));

        isNoticed("answer " + stored.queryId(), () -> open.ledger.answer(stored.queryId()));
    }

    private StoredAnswer longAnswer() {
        CommittedDebit debit = ((ReserveOutcome.Reserved) open.ledger.reserve(question("long", "long form"))).debit();
        return open.ledger.settle(debit, new byte[4 * StoredAnswer.MAX_BEGINNING - 1]);
    }

    private void tamper(String... statements) throws SQLException {
        Tampering.tamper(home.path(), settings, statements);
    }

    /**
     * Requires that the request is refused by name and counted, and that the next start is refused by the same name.
     */
    private void isNoticed(String object, ThrowingCallable asked) throws SQLException {
        ChangedRows.refused(object, asked);
        isNoticedAtTheStart(object);
    }

    private void isNoticedAtTheStart(String object) throws SQLException {
        database.close();
        assertThatThrownBy(this::start).isInstanceOf(StartupRefusal.class).hasMessageContaining(object);
    }

    private List<CommittedDebit> bought(String key) {
        return open.ledger.reserve(OpenLedger.plan(ACCOUNT, "ana", key, 2)).stream()
                .map(outcome -> ((ReserveOutcome.Reserved) outcome).debit())
                .toList();
    }

    /** Otherwise a retry would get the answers of other questions, or go on with their debits. */
    @Test
    void aPlanOfOtherQuestionsIsNotGoneOnWith() throws SQLException {
        bought("plan");
        tamper("UPDATE plan SET items = '" + answered.queryId() + "\n" + other.queryId() + "'");
        isNoticed(
                "plan ana POST /v1/datasets/" + ACCOUNT + "/queries plan",
                () -> open.ledger.reserve(OpenLedger.plan(ACCOUNT, "ana", "plan", 2)));
    }

    /** Otherwise a retry would be charged again. */
    @Test
    void aPlanThatIsGoneIsNotChargedAgain() throws SQLException {
        bought("plan");
        tamper("DELETE FROM plan");
        ChangedRows.refused(
                "plan ana POST /v1/datasets/" + ACCOUNT + "/queries plan",
                () -> open.ledger.reserve(OpenLedger.plan(ACCOUNT, "ana", "plan", 2)));
        isNoticedAtTheStart("missing");
    }

    private String whereId(CommittedDebit debit) {
        return " WHERE query_id = '" + debit.queryId() + "'";
    }

    /** Each change would let somebody ask beyond a limit. A change to less than before is refused too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE account SET limit_epsilon_nanos = limit_epsilon_nanos + 1",
                "UPDATE account SET limit_epsilon_nanos = limit_epsilon_nanos - 1",
                "UPDATE account SET limit_delta_attos = 1",
                "UPDATE account SET spent_epsilon_nanos = 0",
                "UPDATE account SET spent_epsilon_nanos = spent_epsilon_nanos + 1",
                "UPDATE allotment SET limit_epsilon_nanos = limit_epsilon_nanos + 1",
                "UPDATE allotment SET spent_epsilon_nanos = 0",
                "UPDATE allotment SET analyst = 'nobody'",
                "DELETE FROM allotment",
                "UPDATE entry SET limit_after_epsilon_nanos = limit_after_epsilon_nanos + 1",
                "UPDATE entry SET allotted_limit_epsilon_nanos = allotted_limit_epsilon_nanos + 1"
                        + " WHERE allotted_analyst IS NOT NULL",
            })
    void nothingIsChargedOnceTheBooksWereChangedUnderARunningService(String statement) throws SQLException {
        open.ledger.setAllotment(ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse("5")), "carla");
        answered("more", "fourth form");
        tamper(statement);
        ChangedRows.refused("account " + ACCOUNT, () -> open.ledger.reserve(question("next", "fifth form")));
    }

    /**
     * A retry is refused, whether its question was answered or not. Another principal may have sent the same question
     * with the same key.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM question",
                "UPDATE question SET principal = 'eve'",
                "UPDATE question SET idempotency_key = 'stolen' || query_id",
                "UPDATE question SET operation = 'sum'"
            })
    void aRetryIsNotChargedAgainOnceItsQuestionIsGone(String change) throws SQLException {
        open.ledger.reserve(OpenLedger.question(ACCOUNT, "bob", "reserved", "form", null));
        tamper("DELETE FROM canonical_question");
        tamper(change + whereId(answered), change + whereId(reserved));
        ChangedRows.refused("query " + answered.queryId(), () -> open.ledger.reserve(ofAna("k")));
        ChangedRows.refused("query " + reserved.queryId(), () -> open.ledger.reserve(ofAna("reserved")));
        open.ledger.reserve(OpenLedger.question(ACCOUNT, "bob", "k", "form", null));
    }

    private static ChargeRequest ofAna(String key) {
        return OpenLedger.question(ACCOUNT, "ana", key, "form", null);
    }

    /** An allotment is compared with its own last entry, also if others were charged after that entry. */
    @Test
    void anAllotmentIsWhatItsLastEntrySaysAlsoBehindTheChargesOfOthers() throws SQLException {
        open.ledger.setAllotment(ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse("5")), "carla");
        open.ledger.reserve(question("bob", "b", "form of bob"));
        answered("more", "fourth form");
        open.ledger.reserve(question("bob", "c", "another form of bob"));
        tamper("UPDATE allotment SET limit_epsilon_nanos = 9000000000");
        open.ledger.reserve(question("bob", "d", "a third form of bob"));
        ChangedRows.refused("account " + ACCOUNT, () -> open.ledger.reserve(question("next", "fifth form")));
    }

    @Test
    void anUntouchedLedgerStartsAgain() throws SQLException {
        database.close();
        start();
        assertThat(open.ledger.answer(answered.queryId())).isPresent();
        assertThat(GuardedDatabase.journal().faultOfAccount(database, ACCOUNT)).isNull();
    }

    @Test
    void aChangedAnswerIsNotGivenAndHasNoReceipt() throws SQLException {
        tamper("UPDATE question SET body = request_digest" + whereId(answered));
        assertThatThrownBy(() -> receipts().receipt(answered.queryId())).isInstanceOf(ProblemException.class);
        isNoticed("answer " + answered.queryId(), () -> open.ledger.answer(answered.queryId()));
    }

    private Receipts receipts() {
        return GuardedDatabase.receipts(database, home);
    }

    /** The question has no answer yet, so the journal has no entry of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dataset_id = 'fresh'",
                "principal = 'eve'",
                "operation = 'sum'",
                "idempotency_key = 'stolen'",
                "request_digest = (SELECT c.digest FROM canonical_question c WHERE c.query_id = question.query_id)"
            })
    void aQuestionThatWasNotChargedHasNoReceipt(String change) throws SQLException {
        assertThat(receipts().receipt(reserved.queryId())).isPresent();
        tamper("UPDATE question SET " + change + whereId(reserved));
        ChangedRows.refused("query " + reserved.queryId(), () -> receipts().receipt(reserved.queryId()));
    }

    @Test
    void theAnswerOfAnotherQuestionIsNotGiven() throws SQLException {
        tamper("UPDATE question SET body = (SELECT body FROM question" + whereId(other) + ")" + whereId(answered));
        isNoticed("answer " + answered.queryId(), () -> open.ledger.reserve(question("k", "form")));
    }

    /** Otherwise the sweeper or a retry would draw noise a second time under one debit. */
    @Test
    void anAnswerThatIsGoneIsNotDrawnAgain() throws SQLException {
        tamper("UPDATE question SET body = NULL, request = request_digest" + whereId(answered));
        String object = "answer " + answered.queryId();
        for (ThrowingCallable asked : new ThrowingCallable[] {
            () -> open.ledger.reserve(question("k", "form")),
            () -> open.ledger.settle(answered, "second".getBytes(UTF_8))
        }) {
            assertThatThrownBy(asked).hasMessageContaining(object);
        }
        Reservation resumed = open.ledger.reservations("", 10).getFirst();
        assertThat(resumed.debit().queryId()).isEqualTo(answered.queryId());
        assertThatThrownBy(resumed::requestBody).hasMessageContaining("its answer is gone");
        database.close();
        assertThatThrownBy(this::start).hasMessageContaining("rows that the journal");
    }

    @Test
    void anAnswerThatNobodyDrewIsNotGiven() throws SQLException {
        tamper("UPDATE question SET body = request, request = NULL" + whereId(reserved));
        isNoticed("answer " + reserved.queryId(), () -> open.ledger.answer(reserved.queryId()));
    }

    private Attachment attached(CommittedDebit debit, int seed) {
        byte[] content = new byte[5 << 17];
        new Random(seed).nextBytes(content);
        Attachment attachment = new Attachment(debit.queryId(), content);
        open.ledger.settle(
                List.of(new Settlement(debit, "with it".getBytes(UTF_8), open.ledger.attach(debit, attachment))));
        return attachment;
    }

    /** Only its digest ties an attachment to its answer, and a start does not read attachments. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE attachment_piece SET content = (SELECT p.content FROM attachment_piece p"
                        + " WHERE p.query_id = attachment_piece.query_id AND p.piece = 1) WHERE piece = 0",
                "UPDATE attachment_piece SET content = (SELECT p.content FROM attachment_piece p"
                        + " WHERE p.query_id <> attachment_piece.query_id AND p.piece = attachment_piece.piece)",
                "UPDATE attachment_piece SET content = substr(content, 1, 1000) WHERE piece = 2",
                "UPDATE attachment_piece SET content = substr(content, 1, 1) WHERE piece = 0",
                "UPDATE attachment_piece SET piece = 4 - piece",
                "DELETE FROM attachment_piece WHERE piece = 0",
                "DELETE FROM attachment_piece WHERE piece = 2",
                "DELETE FROM attachment_piece",
                "UPDATE attachment SET draw_key = draw",
                "UPDATE attachment SET draw = draw_key",
                "DELETE FROM attachment",
                "INSERT INTO attachment_piece SELECT query_id, draw, 3, content FROM attachment_piece WHERE piece = 0"
            })
    void anAttachmentIsReadAsItWasStored(String change) throws SQLException {
        Attachment attachment = attached(reserved, 1);
        attached(((ReserveOutcome.Reserved) open.ledger.reserve(question("fourth", "4th"))).debit(), 2);
        assertThat(open.ledger.attachment(reserved.queryId(), attachment.digest()))
                .isEqualTo(attachment.content());
        tamper(change);
        ChangedRows.refused(
                "attachment " + reserved.queryId(),
                () -> open.ledger.attachment(reserved.queryId(), attachment.digest()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dataset_id = 'fresh'", "principal = 'eve'", "idempotency_key = 'stolen'"})
    void aQuestionBelongsToWhoAskedIt(String change) throws SQLException {
        tamper("UPDATE question SET " + change + whereId(answered));
        assertThatThrownBy(() -> open.ledger.answer(answered.queryId()))
                .hasMessageContaining("answer " + answered.queryId());
    }

    @Test
    void theAnswerOfAnotherQuestionIsNotReused() throws SQLException {
        tamper(
                "DELETE FROM canonical_question" + whereId(answered),
                "UPDATE canonical_question SET digest = (SELECT digest FROM canonical_question" + whereId(other) + ")"
                        + whereId(reserved),
                "UPDATE canonical_question SET digest = request_digest FROM question"
                        + " WHERE canonical_question.query_id = question.query_id AND question.query_id = '"
                        + other.queryId() + "'");
        assertThatThrownBy(() -> open.ledger.reserve(question("new", "other form")))
                .hasMessageContaining("form " + reserved.queryId());
        isNoticedAtTheStart("form ");
    }

    @Test
    void theOutcomeOfAStepIsTheOneThatWasGiven() throws SQLException {
        tamper("UPDATE interaction_step SET body = request_digest WHERE sequence = 1");
        isNoticed("step 1 of session " + session.id(), () -> open.interactions.find(session, 1));
    }

    /** Otherwise the rows of a ledger could be changed, its journal removed, and a new home would seal the change. */
    @Test
    void aLedgerWithoutAJournalIsRefusedAlsoWithoutAnAnchor() throws Exception {
        database.close();
        tamper("UPDATE question SET body = request_digest" + whereId(answered), "DELETE FROM journal");
        Files.delete(home.path().resolve("ledger.anchor"));
        assertThatThrownBy(this::start)
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("The ledger has accounts");
        assertThat(Files.exists(home.path().resolve("ledger.anchor"))).isFalse();
    }

    /** The account's row and its last entry agree with each other, but not with what was committed. */
    @Test
    void booksThatWereRewrittenAreNotContinued() throws SQLException {
        String last = " WHERE account = '" + ACCOUNT
                + "' AND sequence = (SELECT head_sequence FROM account WHERE account = '" + ACCOUNT + "')";
        tamper(
                "UPDATE entry SET hash = previous_hash" + last,
                "UPDATE account SET head_hash = (SELECT hash FROM entry" + last + ") WHERE account = '" + ACCOUNT
                        + "'");
        ChangedRows.refused("account " + ACCOUNT, () -> open.ledger.reserve(question("later", "a fourth form")));
    }

    /** Somebody who drops the table's key can keep the number of rows. */
    @Test
    void aFormThatIsThereTwiceDoesNotMakeUpForAnother() throws SQLException {
        tamper(
                "CREATE TABLE forms AS SELECT a.* FROM canonical_question a, canonical_question b WHERE a.query_id = '"
                        + answered.queryId() + "'",
                "DROP TABLE canonical_question",
                "ALTER TABLE forms RENAME TO canonical_question");
        isNoticedAtTheStart("adult/decisions records is there twice");
    }

    @Test
    void entriesOfNoChainAreNoticed() throws SQLException {
        tamper("INSERT INTO journal SELECT 'adult/else', 1, 'else', content, previous, code FROM journal"
                + " WHERE chain = 'adult/decisions' AND sequence = 1");
        isNoticedAtTheStart("\"adult/else\"");
    }

    /** A connection that has written nothing yet knows what the anchor confirmed. */
    @Test
    void aChainThatWasSetBackIsNotContinuedAfterAStart() throws SQLException {
        database.close();
        start();
        tamper("DELETE FROM journal WHERE chain = 'adult/decisions' AND sequence = (SELECT max(sequence) FROM journal"
                + " WHERE chain = 'adult/decisions')");
        ChangedRows.refused("adult/decisions", () -> open.ledger.reserve(question("later", "a fourth form")));
    }

    /** A changed session must not keep other sessions from being opened. */
    @Test
    void aChangedSessionIsNotClosedAndOthersAreOpened() throws SQLException {
        tamper("UPDATE interaction SET expires_millis = 1, principal = 'eve'");
        open.interactions.closeExpired();
        assertThat(open.find(open.opened("another")).interaction().isOpen()).isTrue();
        isNoticed("session " + session.id(), () -> open.find(session));
    }

    @Test
    void aStepThatIsGoneWithItsCounterIsMissed() throws SQLException {
        tamper(
                "DELETE FROM interaction_step WHERE sequence = 2",
                "UPDATE interaction SET steps = 1, version = version - 1");
        isNoticed("session " + session.id(), () -> open.find(session));
    }

    /**
     * The session's row, its step and their journal entries are removed: for this session, the database is as it was
     * before the session was opened.
     */
    @Test
    void aSessionThatIsPutBackIsClosed() throws SQLException {
        Interaction before = open.opened("before");
        database.close();
        start();
        open.stepped(before, "one");
        database.close();
        tamper(
                "DELETE FROM interaction_step WHERE interaction_id = '" + before.id() + "'",
                "DELETE FROM interaction WHERE interaction_id = '" + before.id() + "'",
                "DELETE FROM journal WHERE object LIKE 's%" + before.id() + "'");
        start();
        assertThat(open.find(session).interaction().closedBecause()).isEqualTo("restored");
    }

    @Test
    void anAccountWhoseLastAnswerIsGoneWithItsEntriesIsRefused() throws SQLException {
        database.close();
        tamper(
                "UPDATE question SET body = NULL, request = request_digest" + whereId(other),
                "DELETE FROM journal WHERE chain = 'adult/decisions' AND sequence > 2",
                "DELETE FROM canonical_question" + whereId(reserved),
                "DELETE FROM canonical_question" + whereId(other));
        assertThatThrownBy(this::start)
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("The journal's chain adult/decisions lacks entry");
    }
}
