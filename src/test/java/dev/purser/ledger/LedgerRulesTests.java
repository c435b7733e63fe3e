package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.ApproximateAccountant;
import dev.purser.accounting.ConcentratedAccountant;
import dev.purser.accounting.PureAccountant;
import dev.purser.digest.Sha256;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static dev.purser.Records.with;
import static dev.purser.problem.Refusals.refusedAs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Every decision of the ledger on all small amounts, against arithmetic that fits on a line, and the decisions at the
 * ceilings.
 */
class LedgerRulesTests {
    private static final Instant AT = Instant.ofEpochMilli(1_700_000_000_000L);
    private static final String HEAD = "a".repeat(64);
    private static final String QUERY_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    private static final int SMALL = 5;
    private static final PrivacyAmount CEILING =
            new PrivacyAmount(new Epsilon(1_000_000_000_000_000L), new Delta(Delta.ATTOS_PER_UNIT), Rho.MAX);

    private static PrivacyAmount units(long nanos) {
        return PrivacyAmount.pure(new Epsilon(nanos));
    }

    private static Account account(PrivacyAmount limit, PrivacyAmount spent) {
        return WithoutBlocks.account("adult", new PureAccountant(), limit, spent, 7, HEAD);
    }

    private static ChargeRequest request(PrivacyEvent event) {
        return new ChargeRequest(
                "adult",
                "visits",
                "mean",
                event,
                new RequestIdentity("ana", "POST /v1/datasets/visits/queries/mean", "k"),
                "{}".getBytes(UTF_8),
                OpenLedger.ANY_FORM,
                null);
    }

    private static ChargeRequest request(long nanos) {
        return request(new PrivacyEvent.PureDifferentialPrivacy(new Epsilon(nanos)));
    }

    private static Step charge(Account account, @Nullable Allotment allotment, ChargeRequest request) {
        return LedgerRules.charge(WithoutBlocks.standing(account, allotment), request, AT, QUERY_ID);
    }

    /**
     * All limits, amounts spent and charges of a few units, without an allotment and with every allotment of a few
     * units.
     */
    @Test
    void chargesWhatFitsTheAccountAndTheAllotmentAndNothingElse() {
        for (int limit = 0; limit <= SMALL; limit++) {
            for (int spent = 0; spent <= limit; spent++) {
                for (int charge = 1; charge <= SMALL + 1; charge++) {
                    checkCharge(limit, spent, charge, -1, 0);
                    for (int allotted = 0; allotted <= SMALL; allotted++) {
                        for (int used = 0; used <= allotted; used++) {
                            checkCharge(limit, spent, charge, allotted, used);
                        }
                    }
                }
            }
        }
    }

    private static void checkCharge(int limit, int spent, int charge, int allotted, int used) {
        Account account = account(units(limit), units(spent));
        Allotment allotment = allotted < 0 ? null : new Allotment("ana", units(allotted), units(used));
        String refusedBy =
                spent + charge > limit ? "dataset" : allotment != null && used + charge > allotted ? "analyst" : "";
        if (refusedBy.isEmpty()) {
            Allotment after = allotment == null ? null : new Allotment("ana", units(allotted), units(used + charge));
            checkStep(charge(account, allotment, request(charge)), account, charge, spent + charge, after);
        } else {
            checkRefusal(account, allotment, charge, refusedBy);
        }
    }

    private static void checkStep(
            Step step, Account account, int charge, int spentAfter, @Nullable Allotment allotmentAfter) {
        ChargeRequest request = request(charge);
        LedgerEntry entry = step.entry();
        LedgerEntry expected = LedgerChain.sealed(
                "adult",
                WithoutBlocks.entry(
                        8,
                        AT,
                        LedgerEntry.Type.CHARGE,
                        "ana",
                        QUERY_ID,
                        "mean",
                        LedgerChain.requestHash("visits", request.identity(), Sha256.of(request.requestBody())),
                        units(charge),
                        account.limit(),
                        units(spentAfter),
                        allotmentAfter,
                        HEAD,
                        ""));
        assertThat(entry).isEqualTo(expected);
        assertThat(step.before()).isEqualTo(account);
        assertThat(step.after())
                .isEqualTo(with(account, "spent", units(spentAfter), "headSequence", 8L, "headHash", expected.hash()));
        assertThat(step.question())
                .usingRecursiveComparison()
                .isEqualTo(new BookedQuestion(
                        QUERY_ID,
                        "adult",
                        "visits",
                        request.identity(),
                        Sha256.of("{}".getBytes(UTF_8)),
                        entry,
                        request.requestBody(),
                        null,
                        null));
    }

    private static void checkRefusal(Account account, @Nullable Allotment allotment, int charge, String scope) {
        PrivacyAmount remaining =
                allotment == null || scope.equals("dataset") ? account.remaining() : allotment.remaining();
        ProblemException problem =
                refusedAs(ProblemType.BUDGET_EXHAUSTED, () -> charge(account, allotment, request(charge)));
        assertThat(problem.members())
                .containsEntry("freeFrom", null)
                .containsAllEntriesOf(Map.of(
                        "requested", StatedAmount.withoutRho(units(charge)),
                        "remaining", StatedAmount.withoutRho(remaining),
                        "shortfall",
                                StatedAmount.withoutRho(
                                        units(charge - remaining.epsilon().nanos())),
                        "scope", scope));
        assertThat(problem.getMessage())
                .endsWith(scope.equals("analyst") ? " remain of your allotment." : " remain.")
                .contains("needs epsilon " + units(charge).epsilon() + " and delta 0; epsilon " + remaining.epsilon());
    }

    /** Nothing overflows where every part of an account is as large as its type lets it be. */
    @Test
    void theCeilingsAreReachedAndNotPassed() {
        PrivacyEvent epsilon = new PrivacyEvent.PureDifferentialPrivacy(CEILING.epsilon());
        PrivacyEvent both = new PrivacyEvent.ApproximateDifferentialPrivacy(CEILING.epsilon(), CEILING.delta());
        PrivacyEvent rho = new PrivacyEvent.ConcentratedDifferentialPrivacy(Rho.MAX);
        Map<Accountant, PrivacyEvent> dearest = Map.of(
                new PureAccountant(), epsilon, new ApproximateAccountant(), both, new ConcentratedAccountant(), rho);
        dearest.forEach((accountant, event) -> {
            Account full = WithoutBlocks.account("adult", accountant, CEILING, PrivacyAmount.ZERO, 7, HEAD);
            Account empty = charge(full, null, request(event)).after();

            assertThat(empty.spent()).isEqualTo(accountant.charge(event));
            assertThatThrownBy(() -> charge(empty, null, request(event))).isInstanceOf(ProblemException.class);
            assertThatThrownBy(() -> charge(full, new Allotment("ana", CEILING, empty.spent()), request(event)))
                    .isInstanceOf(ProblemException.class);
        });
    }

    @Test
    void setsEveryLimitThatIsNotBelowWhatIsSpent() {
        for (int limit = 0; limit <= SMALL; limit++) {
            for (int spent = 0; spent <= limit; spent++) {
                for (int next = 0; next <= SMALL; next++) {
                    Account account = account(units(limit), units(spent));
                    PrivacyAmount wanted = units(next);
                    if (next < spent) {
                        assertBelowSpent(spent, next, () -> LedgerRules.limit(account, wanted, "carla", AT));
                    } else {
                        checkEntry(
                                LedgerRules.limit(account, wanted, "carla", AT), account, wanted, null, next == limit);
                    }
                }
            }
        }
    }

    @Test
    void setsEveryAllotmentThatIsNotBelowWhatItsAnalystHasSpent() {
        Account account = account(units(1), units(1));
        for (int charged = 0; charged <= SMALL; charged++) {
            for (int next = 0; next <= SMALL; next++) {
                PrivacyAmount of = units(charged);
                PrivacyAmount wanted = units(next);
                Allotment set = new Allotment("bob", wanted, of);
                for (Allotment present : List.of(set, new Allotment("bob", units(SMALL + 1), of))) {
                    if (next < charged) {
                        assertBelowSpent(
                                charged,
                                next,
                                () -> LedgerRules.allotment(account, present, of, "bob", wanted, "carla", AT));
                    } else {
                        checkEntry(
                                LedgerRules.allotment(account, present, of, "bob", wanted, "carla", AT),
                                account,
                                account.limit(),
                                set,
                                present.equals(set));
                    }
                }
                if (next >= charged) {
                    checkEntry(
                            LedgerRules.allotment(account, null, of, "bob", wanted, "carla", AT),
                            account,
                            account.limit(),
                            set,
                            false);
                }
            }
        }
    }

    private static void checkEntry(
            Optional<Step> step, Account account, PrivacyAmount limit, @Nullable Allotment set, boolean unchanged) {
        if (unchanged) {
            assertThat(step).isEmpty();
            return;
        }
        LedgerEntry expected = limited(8, limit, account.spent(), set, HEAD);
        Account after = with(account, "limit", limit, "headSequence", 8L, "headHash", expected.hash());
        assertThat(step).contains(new Step(account, after, expected, null));
    }

    private static void assertBelowSpent(int spent, int wanted, ThrowingCallable call) {
        ProblemException problem = refusedAs(ProblemType.VALIDATION_FAILED, call);
        assertThat(problem.violations())
                .containsExactly(Violation.atPointer(
                        "/epsilon",
                        "must not be below what is spent: epsilon " + new Epsilon(spent) + " and delta 0, was epsilon "
                                + new Epsilon(wanted) + " and delta 0"));
    }

    @Test
    void opensAnAccountWithAnEntryOfItsLimit() {
        Step step = LedgerRules.open("adult", new PureAccountant(), units(3), null, "carla", AT);

        assertThat(step.before()).isNull();
        assertThat(step.question()).isNull();
        LedgerEntry expected = limited(1, units(3), units(0), null, LedgerChain.GENESIS);
        assertThat(step.entry()).isEqualTo(expected);
        assertThat(step.after())
                .isEqualTo(WithoutBlocks.account(
                        "adult", step.after().accountant(), units(3), units(0), 1, expected.hash()));
    }

    private static LedgerEntry limited(
            long sequence, PrivacyAmount limit, PrivacyAmount spent, @Nullable Allotment set, String head) {
        PrivacyAmount zero = PrivacyAmount.ZERO;
        LedgerEntry.Type type = LedgerEntry.Type.LIMIT;
        return LedgerChain.sealed(
                "adult",
                WithoutBlocks.entry(sequence, AT, type, "carla", null, null, null, zero, limit, spent, set, head, ""));
    }

    /** Under a limit in rho, only rho is forfeited. Under any other limit, everything else is forfeited. */
    @Test
    void forfeitsWhatRemains() {
        PrivacyAmount approximate = new PrivacyAmount(new Epsilon(5), new Delta(7), Rho.ZERO);
        PrivacyAmount inRho = new PrivacyAmount(new Epsilon(5), new Delta(7), new Rho(9));

        checkForfeit(units(3), units(1), units(2));
        checkForfeit(
                approximate,
                new PrivacyAmount(new Epsilon(5), new Delta(1), Rho.ZERO),
                new PrivacyAmount(Epsilon.ZERO, new Delta(6), Rho.ZERO));
        checkForfeit(inRho, PrivacyAmount.concentrated(new Rho(4)), PrivacyAmount.concentrated(new Rho(5)));
        assertThat(forfeit(units(3), units(3))).isEmpty();
        assertThat(forfeit(approximate, approximate)).isEmpty();
        assertThat(forfeit(inRho, PrivacyAmount.concentrated(new Rho(9)))).isEmpty();
    }

    private static Optional<Step> forfeit(PrivacyAmount limit, PrivacyAmount spent) {
        return LedgerRules.forfeit(account(limit, spent), null, "operator", AT, QUERY_ID);
    }

    private static void checkForfeit(PrivacyAmount limit, PrivacyAmount spent, PrivacyAmount charge) {
        Step step = forfeit(limit, spent).orElseThrow();
        assertThat(step.entry().charge()).isEqualTo(charge);
        assertThat(step.entry().spentAfter()).isEqualTo(spent.plus(charge));
        assertThat(step.after().spent()).isEqualTo(spent.plus(charge));
        BookedQuestion question = Objects.requireNonNull(step.question());
        assertThat(question.entry()).isEqualTo(step.entry());
        assertThat(question.answer()).isPresent();
    }

    private static BookedQuestion asked(Account account, ChargeRequest request) {
        BookedQuestion question = charge(account, null, request).question();
        assertThat(question).isNotNull();
        return Objects.requireNonNull(question);
    }

    @Test
    void continuesTheSameQuestionOnly() {
        BookedQuestion earlier = asked(account(units(3), units(0)), request(1));
        assertThat(earlier.isFor(request(1).requestBody())).isTrue();
        assertThat(earlier.isFor("{ }".getBytes(UTF_8))).isFalse();
        assertThat(LedgerRules.continued(earlier)).isSameAs(earlier);
        refusedAs(ProblemType.IDEMPOTENCY_KEY_REUSED, () -> LedgerRules.requireSame(false));
    }

    /** Somebody at the database moves a question to another entry, dataset, asker, operation or idempotency key. */
    @Test
    void continuesNoQuestionThatItsEntryDidNotPayFor() {
        BookedQuestion paid = asked(account(units(3), units(0)), request(1));
        RequestIdentity identity = paid.identity();
        List<BookedQuestion> moved = List.of(
                with(paid, "queryId", "01ARZ3NDEKTSV4RRFFQ69G5FAW"),
                with(paid, "datasetId", "adult"),
                with(paid, "identity", with(identity, "principal", "eve")),
                with(paid, "identity", with(identity, "operation", "POST /")),
                with(paid, "identity", with(identity, "idempotencyKey", "l")));

        for (BookedQuestion question : moved) {
            assertThat(question.isTheOneItsEntryPaidFor()).isFalse();
            assertThatThrownBy(() -> LedgerRules.continued(question))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("query " + question.queryId())
                    .hasMessageContaining("its entry in the ledger was made for another question");
        }
    }
}
