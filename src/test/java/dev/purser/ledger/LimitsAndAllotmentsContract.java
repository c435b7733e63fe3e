package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.ConcentratedAccountant;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** Limits that change, and ceilings of single analysts inside them. */
abstract class LimitsAndAllotmentsContract extends OneAccountLedger {
    @AfterEach
    void verify() {
        assertThat(open.ledger.verify(OpenLedger.ACCOUNT).fault()).isNull();
    }

    private static PrivacyAmount epsilon(String epsilon) {
        return PrivacyAmount.pure(Epsilon.parse(epsilon));
    }

    private CommittedDebit ask(String analyst, String key, String epsilon) {
        return ((ReserveOutcome.Reserved)
                        open.ledger.reserve(OpenLedger.question(OpenLedger.ACCOUNT, analyst, key, epsilon)))
                .debit();
    }

    private LedgerEntry last() {
        return open.ledger.entries(OpenLedger.ACCOUNT, 0, 1000).getLast();
    }

    @Test
    void aLimitIsRaisedAndLoweredByEntries() {
        ask("ana", "k1", "0.6");

        open.ledger.setLimit(OpenLedger.ACCOUNT, epsilon("0.6"), "carla");
        assertThat(last().type()).isEqualTo(LedgerEntry.Type.LIMIT);
        assertThat(last().analyst()).isEqualTo("carla");
        assertThat(last().limitAfter()).isEqualTo(epsilon("0.6"));
        assertThat(last().spentAfter()).isEqualTo(epsilon("0.6"));
        assertExhausted(() -> ask("ana", "k2", "0.000001"), "dataset", "0");

        open.ledger.setLimit(OpenLedger.ACCOUNT, epsilon("2"), "carla");
        assertThat(ask("ana", "k2", "1.4").remainingAfter()).isEqualTo(epsilon("0"));
        assertThat(last().sequence()).isEqualTo(5);
    }

    @Test
    void theSameLimitAgainIsNoChange() {
        open.ledger.setLimit(OpenLedger.ACCOUNT, epsilon("1"), "carla");
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.5"), "carla");
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.5"), "carla");

        assertThat(last().sequence()).isEqualTo(2);
    }

    @Test
    void anAllotmentIsACeilingForOneAnalystAlone() {
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.3"), "carla");
        assertThat(last().allotmentAfter()).isEqualTo(new Allotment("ana", epsilon("0.3"), epsilon("0")));
        assertThat(last().analyst()).isEqualTo("carla");

        assertThat(ask("ana", "k1", "0.2").remainingAfter()).isEqualTo(epsilon("0.1"));
        assertThat(last().allotmentAfter()).isEqualTo(new Allotment("ana", epsilon("0.3"), epsilon("0.2")));
        assertExhausted(() -> ask("ana", "k2", "0.100000001"), "analyst", "0.1");
        assertThat(ask("bob", "k2", "0.75").remainingAfter()).isEqualTo(epsilon("0.05"));
        assertThat(last().allotmentAfter()).isNull();
        // Now the dataset has less left than the allotment.
        assertExhausted(() -> ask("ana", "k2", "0.06"), "dataset", "0.05");

        Budget budget = open.ledger.budget(OpenLedger.ACCOUNT);
        assertThat(budget.allotments()).isEqualTo(List.of(new Allotment("ana", epsilon("0.3"), epsilon("0.2"))));
        assertThat(budget.remainingFor("ana")).isEqualTo(epsilon("0.05"));
        assertThat(budget.remainingFor("bob")).isEqualTo(epsilon("0.05"));
    }

    @Test
    void aSummaryHasTheAllotmentOfOneAnalystAlone() {
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.3"), "carla");
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "bob", epsilon("0.2"), "carla");
        ask("ana", "k1", "0.1");

        Budget anas = open.ledger
                .summaries(Set.of(OpenLedger.ACCOUNT), "ana")
                .getOrDefault(OpenLedger.ACCOUNT, open.ledger.budget(OpenLedger.ACCOUNT));
        assertThat(anas.allotments()).containsExactly(new Allotment("ana", epsilon("0.3"), epsilon("0.1")));
        assertThat(anas.spent()).isEqualTo(epsilon("0.1"));
        assertThat(open.ledger.summary(OpenLedger.ACCOUNT).allotments()).isEmpty();
        assertThat(open.ledger.summaries(Set.of(), "ana")).isEmpty();
        assertThatThrownBy(() -> open.ledger.summaries(Set.of(OpenLedger.ACCOUNT, "none"), "ana"))
                .hasMessageContaining("none");
    }

    @Test
    void whatWasSpentBeforeCountsInAnAllotment() {
        ask("ana", "k1", "0.2");
        ask("bob", "k1", "0.1");

        refusedAs(
                ProblemType.VALIDATION_FAILED,
                () -> open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.19"), "carla"));
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.25"), "carla");

        assertThat(last().allotmentAfter()).isEqualTo(new Allotment("ana", epsilon("0.25"), epsilon("0.2")));
        assertExhausted(() -> ask("ana", "k2", "0.06"), "analyst", "0.05");
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.26"), "carla");
        ask("ana", "k2", "0.06");
    }

    @Test
    void aRetryUnderASpentAllotmentFindsItsDebit() {
        open.ledger.setAllotment(OpenLedger.ACCOUNT, "ana", epsilon("0.3"), "carla");
        CommittedDebit first = ask("ana", "k1", "0.3");

        assertThat(ask("ana", "k1", "0.3")).usingRecursiveComparison().isEqualTo(first);
    }

    @Test
    void allotmentsOfConcentratedPrivacyCountRho() {
        Accountant accountant = new ConcentratedAccountant();
        PrivacyAmount limit = accountant.limit(Epsilon.parse("1"), Delta.parse("1e-6"));
        open.withAccount("other", accountant, limit);
        PrivacyEvent event =
                accountant.allowance(Epsilon.parse("0.1"), Delta.ZERO).event();
        PrivacyAmount charge = accountant.charge(event);
        open.ledger.setAllotment(
                "other", "ana", new PrivacyAmount(Epsilon.parse("0.2"), Delta.parse("1e-6"), charge.rho()), "carla");

        open.ledger.reserve(OpenLedger.question("other", "ana", "k1", event));

        ChargeRequest again = OpenLedger.question("other", "ana", "k2", event);
        assertThat(refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> open.ledger.reserve(again))
                        .members())
                .containsEntry("scope", "analyst");
        assertThat(open.ledger.verify("other").fault()).isNull();
    }

    @Test
    void listsOwnQuestionsAndReservations() {
        open.withAccount("other", "1");
        CommittedDebit first = ask("ana", "k1", "0.1");
        ask("bob", "k2", "0.2");
        CommittedDebit third = ask("ana", "k3", "0.3");
        open.ledger.reserve(OpenLedger.question("other", "ana", "k4", "0.4"));
        open.ledger.settle(first, "{}".getBytes(UTF_8));

        assertThat(open.ledger.questions(all("ana"), 0, 10))
                .extracting(AskedQuestion::queryId, AskedQuestion::idempotencyKey, AskedQuestion::answered)
                .containsExactly(tuple(first.queryId(), "k1", true), tuple(third.queryId(), "k3", false));
        assertThat(open.ledger.questions(all("ana"), first.sequence(), 10)).hasSize(1);
        assertThat(open.ledger.questions(all("ana"), 0, 1)).hasSize(1);
        assertThat(open.ledger.questions(all("eve"), 0, 10)).isEmpty();

        List<Reservation> reserved = open.ledger.reservations("", 10);
        assertThat(reserved).hasSize(3);
        assertThat(open.ledger.reservations(reserved.get(1).debit().queryId(), 10))
                .hasSize(1);
        Reservation bobs = reserved.stream()
                .filter(reservation -> reservation.identity().principal().equals("bob"))
                .findFirst()
                .orElseThrow();
        assertThat(bobs.kind()).isEqualTo("mean");
        assertThat(bobs.datasetId()).isEqualTo(OpenLedger.ACCOUNT);
        assertThat(bobs.requestBody())
                .isEqualTo(OpenLedger.question(OpenLedger.ACCOUNT, "bob", "k2", "0.2")
                        .requestBody());
        assertThat(open.ledger.settle(bobs.debit(), "late".getBytes(UTF_8)).beginning())
                .asString()
                .isEqualTo("late");
        assertThat(open.ledger.reservations("", 10)).hasSize(2);
    }

    @Test
    void listsOwnQuestionsOfAKindAndATimeInBothOrders() {
        for (int i = 0; i < 5; i++) {
            ask("ana", "k" + i, "0.1");
            for (long millis = System.currentTimeMillis(); millis == System.currentTimeMillis(); ) {
                Thread.onSpinWait();
            }
        }
        List<AskedQuestion> asked = open.ledger.questions(all("ana"), 0, 10);
        List<Long> sequences = asked.stream().map(AskedQuestion::sequence).toList();
        Instant second = asked.get(1).at();

        assertThat(open.ledger.questionsBefore(all("ana"), Long.MAX_VALUE, 10))
                .extracting(AskedQuestion::sequence)
                .isEqualTo(sequences.reversed());
        assertThat(open.ledger.questionsBefore(all("ana"), sequences.get(3), 2))
                .extracting(AskedQuestion::sequence)
                .containsExactly(sequences.get(2), sequences.get(1));
        assertThat(charged("mean", second, asked.get(3).at())).isEqualTo(sequences.subList(1, 3));
        assertThat(charged(null, second.plusNanos(1), null)).isEqualTo(sequences.subList(2, 5));
        assertThat(charged(null, null, second.plusNanos(1))).isEqualTo(sequences.subList(0, 2));
        assertThat(charged("count", null, null)).isEmpty();
    }

    private List<Long> charged(@Nullable String kind, @Nullable Instant from, @Nullable Instant to) {
        QuestionFilter filter = new QuestionFilter(OpenLedger.ACCOUNT, "ana", kind, null, from, to);
        List<Long> found = open.ledger.questions(filter, 0, 10).stream()
                .map(AskedQuestion::sequence)
                .toList();
        assertThat(open.ledger.questionsBefore(filter, Long.MAX_VALUE, 10))
                .extracting(AskedQuestion::sequence)
                .isEqualTo(found.reversed());
        return found;
    }

    private static QuestionFilter all(String principal) {
        return new QuestionFilter(OpenLedger.ACCOUNT, principal, null, null, null, null);
    }

    private static void assertExhausted(ThrowingCallable call, String scope, String remaining) {
        assertThat(refusedAs(ProblemType.BUDGET_EXHAUSTED, call).members())
                .containsEntry("scope", scope)
                .containsEntry("remaining", StatedAmount.withoutRho(epsilon(remaining)));
    }
}
