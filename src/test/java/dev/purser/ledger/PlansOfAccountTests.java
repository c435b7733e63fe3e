package dev.purser.ledger;

import dev.purser.ledger.ChargeRequest.Writes;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.purser.Records.with;
import static dev.purser.ledger.OpenLedger.ACCOUNT;
import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The decisions about the questions of a plan: each as if the earlier questions had been asked before. */
class PlansOfAccountTests extends OneAccountLedger {
    private static final Duration REUSE = Duration.ofDays(1);

    /** A plan of ana's, with one question for each form, whose answer may be reused. */
    private static PlanRequest plan(String key, Writes writes, String... forms) {
        List<ChargeRequest> questions = Stream.of(forms)
                .map(form -> OpenLedger.question(ACCOUNT, "ana", key, form, REUSE))
                .map(question -> with(question, "writes", writes))
                .toList();
        return with(OpenLedger.plan(ACCOUNT, "ana", key, 0), "questions", questions);
    }

    private static CommittedDebit debit(ReserveOutcome outcome) {
        return ((ReserveOutcome.Reserved) outcome).debit();
    }

    private static String reusedAnswer(ReserveOutcome outcome) {
        return ((ReserveOutcome.Reused) outcome).answer().queryId();
    }

    private void answer(CommittedDebit debit) {
        open.ledger.settle(debit, "answer".getBytes(UTF_8));
    }

    @ParameterizedTest
    @CsvSource({"1, dataset, 0.7, 7", "0.6, analyst, 0.3, 3"})
    void aPlanIsChargedWholeOrNotAtAll(String allotment, String scope, String remaining, int first) {
        open.ledger.setAllotment(ACCOUNT, "ana", PrivacyAmount.pure(Epsilon.parse(allotment)), "carla");
        assertThat(open.ledger.reserve(OpenLedger.plan(ACCOUNT, "ana", "fits", 3)))
                .hasSize(3);

        ProblemException refusal = refusedAs(
                ProblemType.BUDGET_EXHAUSTED,
                () -> open.ledger.reserve(OpenLedger.plan(ACCOUNT, "ana", "exceeds", first + 1)));

        assertThat(refusal.members()).containsEntry("scope", scope).containsEntry("firstThatDoesNotFit", first);
        assertThat(refusal.members().get("remaining")).asString().contains("epsilon=" + remaining);
        assertThat(refusal.members().get("requested")).asString().contains("epsilon=0." + (first + 1));
        assertThat(open.spent()).isEqualTo("0.3");
    }

    @Test
    void aRepeatedPlanGoesOnWithWhatIsNotAnswered() {
        PlanRequest plan = OpenLedger.plan(ACCOUNT, "ana", "p", 2);
        List<ReserveOutcome> begun = open.ledger.reserve(plan);
        answer(debit(begun.get(0)));

        List<ReserveOutcome> again = open.ledger.reserve(plan);

        assertThat(again.get(0)).isInstanceOf(ReserveOutcome.Replayed.class);
        assertThat(debit(again.get(1)).queryId()).isEqualTo(debit(begun.get(1)).queryId());
        assertThat(open.spent()).isEqualTo("0.2");
        PlanRequest other = with(plan, "requestBody", "another body".getBytes(UTF_8));
        refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> open.ledger.reserve(other));
    }

    @Test
    void aPlanReusesStoredAnswersAndItsOwn() {
        CommittedDebit earlier = debit(open.reserve("bea", "k", "a", null));
        answer(earlier);
        PlanRequest plan = plan("p", Writes.DEBIT, "a", "b", "b");

        List<ReserveOutcome> begun = open.ledger.reserve(plan);

        CommittedDebit own = debit(begun.get(1));
        assertThat(reusedAnswer(begun.get(0))).isEqualTo(earlier.queryId());
        assertThat(((ReserveOutcome.Shared) begun.get(2)).queryId()).isEqualTo(own.queryId());
        assertThat(open.spent()).isEqualTo("0.2");
        answer(own);
        List<ReserveOutcome> again = open.ledger.reserve(plan);
        assertThat(reusedAnswer(again.get(0))).isEqualTo(earlier.queryId());
        assertThat(again.get(1)).isInstanceOf(ReserveOutcome.Replayed.class);
        assertThat(reusedAnswer(again.get(2))).isEqualTo(own.queryId());
        assertThat(open.spent()).isEqualTo("0.2");
    }

    @Test
    void aPlanThatIsChargedNothingLeavesItsKeyFree() {
        answer(debit(open.reserve("bea", "k", "a", null)));

        assertThat(open.ledger.reserve(plan("p", Writes.DEBIT, "a"))).hasSize(1);
        PlanRequest other = with(plan("p", Writes.DEBIT, "b"), "requestBody", "another body".getBytes(UTF_8));
        assertThat(open.ledger.reserve(other)).singleElement().isInstanceOf(ReserveOutcome.Reserved.class);
    }

    @Test
    void aRefusalStatesOnlyWhatThePlanWouldPay() {
        answer(debit(open.reserve("bea", "k", "a", null)));
        String[] forms = {"a", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};

        ProblemException refusal =
                refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> open.ledger.reserve(plan("p", Writes.DEBIT, forms)));

        assertThat(refusal.members()).containsEntry("firstThatDoesNotFit", 10);
        assertThat(refusal.members().get("requested")).asString().contains("epsilon=1,");
    }

    @Test
    void aPlanWaitsForTheAnswerToTheSameQuestion() {
        open.reserve("bea", "k", "a", null);

        assertThat(open.ledger.reserve(plan("p", Writes.DEBIT, "b", "a")))
                .singleElement()
                .isInstanceOf(ReserveOutcome.Awaited.class);
        assertThat(open.spent()).isEqualTo("0.1");
    }

    @Test
    void aPlanThatMayNotSpendIsRefusedWithThePlacesThatAreNotStored() {
        answer(debit(open.reserve("bea", "k", "a", null)));

        ProblemException refusal = refusedAs(
                ProblemType.NOTHING_STORED, () -> open.ledger.reserve(plan("p", Writes.READER, "b", "a", "c")));

        assertThat(refusal.members()).containsEntry("notStored", List.of(0, 2));
        assertThat(open.spent()).isEqualTo("0.1");
    }

    /** Its key may have been debited for, and may not spend any more. */
    @Test
    void aRepeatedPlanThatMayNotSpendWaitsForItsAnswers() {
        open.ledger.reserve(plan("p", Writes.DEBIT, "a", "b"));

        assertThat(open.ledger.reserve(plan("p", Writes.READER, "a", "b")))
                .singleElement()
                .isInstanceOf(ReserveOutcome.Awaited.class);
    }
}
