package dev.purser.ledger.proof;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.ConcentratedAccountant;
import dev.purser.journal.Chain;
import dev.purser.journal.Head;
import dev.purser.ledger.AskedQuestion;
import dev.purser.ledger.Budget;
import dev.purser.ledger.CommittedDebit;
import dev.purser.ledger.LastBlocks;
import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.OneAccountLedger;
import dev.purser.ledger.OpenLedger;
import dev.purser.ledger.QuestionFilter;
import dev.purser.ledger.ReserveOutcome;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemType;
import dev.purser.session.OpenInteractions;
import dev.purser.store.PurserHome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** The effect of the command accept-restored-ledger on each account. */
@ExtendWith(OutputCaptureExtension.class)
class AcceptedLedgerTests extends OneAccountLedger {
    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_123L);
    private static final Delta DELTA = Delta.parse("1e-6");

    private PurserHome files;

    @BeforeEach
    void debit() {
        files = new PurserHome(home);
        open.debit("k", "0.4");
    }

    @AfterEach
    void verify() {
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    private void accept(@Nullable Map<String, Head> confirmed) {
        LedgerGuard.accept(
                open.database,
                confirmed,
                new LastBlocks(Map.of()),
                Anchor.anew(files, open.database.key()),
                Clock.fixed(AT, ZoneOffset.UTC),
                GuardedDatabase.journal());
    }

    private Head head(String account) {
        LedgerEntry last = open.ledger.entries(account, 0, 100).getLast();
        return new Head(last.sequence(), last.hash());
    }

    private Map<String, Head> anchored() {
        return GuardedDatabase.anchor(files).heads();
    }

    @Test
    void anAccountThatLostEntriesHasNothingLeftAndTheOthersStayAsTheyAre(CapturedOutput output) {
        open.withAccount("new", "1").withAccount("whole", "2");
        Map<String, Head> confirmed = Map.of(
                OpenLedger.ACCOUNT,
                new Head(3, "f".repeat(64)),
                "whole",
                head("whole"),
                "gone",
                new Head(9, "f".repeat(64)),
                "whole/sessions",
                new Head(5, "f".repeat(64)));

        accept(confirmed);

        LedgerEntry last = open.ledger.entries(OpenLedger.ACCOUNT, 2, 10).getFirst();
        assertThat(last.analyst()).isEqualTo("operator");
        assertThat(last.at()).isEqualTo(AT);
        assertThat(last.type()).isEqualTo(LedgerEntry.Type.CHARGE);
        assertThat(last.charge()).isEqualTo(PrivacyAmount.pure(Epsilon.parse("0.6")));
        assertThat(last.limitAfter()).isEqualTo(PrivacyAmount.pure(Epsilon.parse("1")));
        // A limit that is raised now is raised above all that may have been spent.
        open.ledger.setLimit(OpenLedger.ACCOUNT, PrivacyAmount.pure(Epsilon.parse("1")), "carla");
        assertThat(open.ledger.reservations("", 10))
                .noneMatch(reservation -> reservation.identity().principal().equals("operator"));
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).remaining()).isEqualTo(PrivacyAmount.ZERO);
        assertThat(open.ledger.budget("new").remaining().epsilon()).hasToString("1");
        assertThat(open.ledger.budget("whole").remaining().epsilon()).hasToString("2");
        assertThat(anchored())
                .containsKey("whole/sessions")
                .hasSize(6)
                .containsAllEntriesOf(Map.of(
                        OpenLedger.ACCOUNT, head(OpenLedger.ACCOUNT), "new", head("new"), "whole", head("whole")));
        assertThat(anchored())
                .hasEntrySatisfying(
                        "whole/sessions", head -> assertThat(head.sequence()).isEqualTo(6));
        assertThat(output)
                .contains("account gone is lost with all its entries")
                .doesNotContain("account whole lost entries")
                .doesNotContain("account new")
                .contains("account adult lost entries: epsilon 0.6 and delta 0 remained, counted as spent;"
                        + " open sessions closed: 0; unanswered questions closed: 1")
                .contains("the journal's chain whole/sessions lost entries; open sessions closed: 0")
                .contains("the ledger is accepted");
    }

    /** A lost answer may have been released, so nothing is drawn again under its charge. */
    @Test
    void anAccountThatLostDecisionsHasNothingLeft() {
        accept(Map.of(
                OpenLedger.ACCOUNT,
                head(OpenLedger.ACCOUNT),
                Chain.ofAccount(OpenLedger.ACCOUNT).name(),
                new Head(9, "f".repeat(64))));

        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).remaining()).isEqualTo(PrivacyAmount.ZERO);
        assertThat(open.ledger.reservations("", 10)).isEmpty();
    }

    @Test
    void withoutAnAnchorNoAccountHasAnythingLeftAndTwiceIsAsGoodAsOnce(CapturedOutput output) {
        accept(null);
        accept(null);

        assertThat(output)
                .contains("nothing tells what was lost: every account counts as one that lost entries")
                .contains("epsilon 0.6 and delta 0 remained, counted as spent")
                .contains("account adult lost entries: nothing remained; open sessions closed: 0");

        assertThat(open.ledger.entries(OpenLedger.ACCOUNT, 0, 10)).hasSize(3);
        assertThat(open.ledger.budget(OpenLedger.ACCOUNT).remaining()).isEqualTo(PrivacyAmount.ZERO);
        assertThat(anchored())
                .hasSize(3)
                .containsEntry(OpenLedger.ACCOUNT, head(OpenLedger.ACCOUNT))
                .containsKeys(
                        Chain.ACCESS.name(), Chain.ofAccount(OpenLedger.ACCOUNT).name());
    }

    @Test
    void saysHowManySessionsItClosed(CapturedOutput output) {
        new OpenInteractions(open.database, Clock.systemUTC()).opened("session");

        accept(null);

        assertThat(output).containsPattern("account adult lost entries: .* counted as spent; open sessions closed: 1");
    }

    /** Another answer under the same charge would be a second release. */
    @Test
    void aQuestionWithoutAnAnswerIsNeverAnswered(CapturedOutput output) {
        CommittedDebit answered = open.debit("answered", "0.1");
        byte[] answer = {'{', '}'};
        open.ledger.settle(answered, answer);
        String unanswered = open.ledger.reservations("", 10).getFirst().debit().queryId();

        accept(null);

        assertThat(output).contains("open sessions closed: 0; unanswered questions closed: 1");
        assertThat(open.ledger.reservations("", 10)).isEmpty();
        assertThat(open.ledger.answer(unanswered)).isEmpty();
        assertThat(refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> open.reserve("k", "0.4")))
                .hasMessageContaining("may have been answered after the copy was made");
        QuestionFilter own = new QuestionFilter(OpenLedger.ACCOUNT, "ana", null, null, null, null);
        assertThat(open.ledger.questions(own, 0, 10))
                .extracting(AskedQuestion::idempotencyKey, AskedQuestion::answered)
                .containsExactly(tuple("k", false), tuple("answered", true));
        assertThat(open.reserve("answered", "0.1")).isInstanceOf(ReserveOutcome.Replayed.class);
    }

    @Test
    void aQuestionWithoutAnAnswerOfAnAccountThatLostNothingGoesOn() {
        accept(Map.of(OpenLedger.ACCOUNT, head(OpenLedger.ACCOUNT)));

        assertThat(open.reserve("k", "0.4")).isInstanceOf(ReserveOutcome.Reserved.class);
    }

    @Test
    void aClosedQuestionIsNotReused() {
        open.reserve("ana", "first", "form", null);
        accept(null);
        open.ledger.setLimit(OpenLedger.ACCOUNT, PrivacyAmount.pure(Epsilon.parse("2")), "carla");

        assertThat(open.reserve("ben", "second", "form", Duration.ofDays(1)))
                .isInstanceOf(ReserveOutcome.Reserved.class);
    }

    @Test
    void saysThatALedgerThatHasEverythingLostNothing(CapturedOutput output) {
        accept(Map.of(OpenLedger.ACCOUNT, head(OpenLedger.ACCOUNT)));

        assertThat(output).contains("the ledger lost nothing: nothing is closed or counted as spent");
    }

    /** The delta is not spent: it is the delta at which rho is shown. */
    @Test
    void underRhoAllThatRemainsIsRho(CapturedOutput output) {
        Accountant accountant = new ConcentratedAccountant();
        PrivacyAmount limit = accountant.limit(Epsilon.parse("1"), DELTA);
        open.withAccount("other", accountant, limit);
        open.ledger.reserve(OpenLedger.question(
                "other",
                "ana",
                "k",
                accountant.allowance(Epsilon.parse("0.1"), Delta.ZERO).event()));
        PrivacyAmount spent = open.ledger.budget("other").spent();

        accept(null);

        Budget closed = open.ledger.budget("other");
        assertThat(output)
                .contains("account other lost entries: rho "
                        + limit.minusDownToZero(spent).rho() + " remained, counted as spent");
        assertThat(closed.limit()).isEqualTo(limit);
        assertThat(closed.spent()).isEqualTo(PrivacyAmount.concentrated(limit.rho()));
        assertThat(spent.rho()).isLessThan(limit.rho());
        assertThat(closed.remaining().rho()).isEqualTo(PrivacyAmount.ZERO.rho());
        assertThat(open.ledger.verify("other").fault()).isNull();
    }
}
