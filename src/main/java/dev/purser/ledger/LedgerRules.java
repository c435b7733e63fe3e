package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Decision;
import dev.purser.digest.Sha256;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as a state machine. From the state of the books and a request it derives the step to write, or the
 * refusal. All functions are pure; the caller supplies time and query ids.
 */
final class LedgerRules {
    private static final byte[] FORFEITED =
            "{\"restored\":\"what the lost entries may have spent\"}".getBytes(StandardCharsets.UTF_8);

    /** Stands for the answer of a question that a restored ledger must not answer. */
    static final byte[] CLOSED =
            "{\"restored\":\"closed: a lost answer may have been released\"}".getBytes(StandardCharsets.UTF_8);

    private LedgerRules() {}

    /** The step that opens an account. */
    static Step open(String account, Accountant accountant, PrivacyAmount limit, String custodian, Instant at) {
        LedgerEntry entry = LedgerChain.sealed(
                account,
                new LedgerEntry(
                        1,
                        at,
                        LedgerEntry.Type.LIMIT,
                        custodian,
                        null,
                        null,
                        null,
                        PrivacyAmount.ZERO,
                        limit,
                        PrivacyAmount.ZERO,
                        null,
                        LedgerChain.GENESIS,
                        ""));
        return new Step(
                null,
                new Account(account, accountant, limit, PrivacyAmount.ZERO, entry.sequence(), entry.hash()),
                entry,
                null);
    }

    /**
     * The step that charges a question which was not charged before.
     *
     * @throws ProblemException {@code BUDGET_EXHAUSTED} if it does not fit the account or the asker's allotment
     */
    static Step charge(
            Account account, @Nullable Allotment allotment, ChargeRequest request, Instant at, String queryId) {
        Accountant accountant = account.accountant();
        Decision.Admitted admitted = admitted(
                accountant.decide(account.spent(), request.event(), account.limit()),
                accountant,
                account.limit(),
                "dataset");
        Allotment allotmentAfter = null;
        if (allotment != null) {
            Decision.Admitted within = admitted(
                    accountant.decide(allotment.spent(), request.event(), allotment.limit()),
                    accountant,
                    allotment.limit(),
                    "analyst");
            allotmentAfter = new Allotment(allotment.analyst(), allotment.limit(), within.spentAfter());
        }
        byte[] requestDigest = Sha256.of(request.requestBody());
        LedgerEntry entry = next(
                account,
                at,
                LedgerEntry.Type.CHARGE,
                request.identity().principal(),
                queryId,
                request.kind(),
                LedgerChain.requestHash(request.datasetId(), request.identity(), requestDigest),
                admitted.charge(),
                account.limit(),
                allotmentAfter);
        BookedQuestion question = new BookedQuestion(
                queryId,
                account.account(),
                request.datasetId(),
                request.identity(),
                requestDigest,
                entry,
                request.requestBody(),
                0,
                null);
        return new Step(account, account.after(entry), entry, question);
    }

    private static Decision.Admitted admitted(
            Decision decision, Accountant accountant, PrivacyAmount limit, String scope) {
        return switch (decision) {
            case Decision.Admitted admitted -> admitted;
            case Decision.Refused refused -> throw exhausted(refused, accountant, limit, scope, "The question");
        };
    }

    /** The refusal of questions that together do not fit into the budget of this scope. */
    static ProblemException exhausted(AccountSnapshot standing, List<ChargeRequest> requests, String scope) {
        Account account = standing.account();
        PrivacyAmount charge = charge(account.accountant(), requests);
        PrivacyAmount remaining = scope.equals("analyst") && standing.allotment() != null
                ? standing.allotment().remaining()
                : account.remaining();
        PrivacyAmount limit = scope.equals("analyst") && standing.allotment() != null
                ? standing.allotment().limit()
                : account.limit();
        return exhausted(
                new Decision.Refused(charge, remaining, charge.minusDownToZero(remaining)),
                account.accountant(),
                limit,
                scope,
                "The plan");
    }

    /** The charge of all of them, for display. */
    private static PrivacyAmount charge(Accountant accountant, List<ChargeRequest> requests) {
        return requests.stream()
                .map(request -> accountant.charge(request.event()))
                .reduce(PrivacyAmount.ZERO, PrivacyAmount::plusUpToCeiling);
    }

    private static ProblemException exhausted(
            Decision.Refused refused, Accountant accountant, PrivacyAmount limit, String scope, String subject) {
        StatedAmount requested = accountant.stated(refused.requested(), limit);
        StatedAmount remaining = accountant.stated(refused.remaining(), limit);
        return ProblemException.of(
                        ProblemType.BUDGET_EXHAUSTED,
                        subject + " needs " + requested.text() + "; " + remaining.text() + " remain"
                                + (scope.equals("analyst") ? " of your allotment." : "."))
                .with("requested", requested)
                .with("remaining", remaining)
                .with("shortfall", accountant.stated(refused.shortfall(), limit))
                .with("scope", scope)
                .with("freeFrom", null);
    }

    /** The refusal of what may not be charged and was not answered before. It depends on requests alone. */
    static ProblemException nothingStored(Account account, List<ChargeRequest> requests) {
        Accountant accountant = account.accountant();
        StatedAmount charge = accountant.stated(charge(accountant, requests), account.limit());
        return ProblemException.of(
                        ProblemType.NOTHING_STORED,
                        "No answer to this question is stored, and the request does not permit a charge; to ask it"
                                + " costs " + charge.text() + ".")
                .with("charge", charge);
    }

    /** @throws ProblemException {@code IDEMPOTENCY_KEY_REUSED} if the same identity had another body */
    static void requireSame(boolean isSameBody) {
        if (!isSameBody) {
            throw ProblemException.of(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "This Idempotency-Key was used for a request with another body;"
                            + " send a new key with a new request.");
        }
    }

    /**
     * The question that was charged for the same request.
     *
     * @throws ProblemException {@code IDEMPOTENCY_KEY_REUSED} if it was closed; {@code INTERNAL_ERROR} if its entry was
     *     not made for it
     */
    static BookedQuestion continued(BookedQuestion earlier) {
        if (earlier.isClosed()) {
            throw ProblemException.of(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "The ledger was restored from a copy, and this question may have been answered after the copy was"
                            + " made. Its charge pays for no other answer; send a new key with a new request.");
        }
        return earlier.asCharged();
    }

    /**
     * The step that sets another limit; empty if the limit does not change.
     *
     * @throws ProblemException {@code VALIDATION_FAILED} if more than that is spent
     */
    static Optional<Step> limit(Account account, PrivacyAmount limit, String custodian, Instant at) {
        requireNotBelowSpent(account, account.spent(), limit);
        if (limit.equals(account.limit())) {
            return Optional.empty();
        }
        LedgerEntry entry =
                next(account, at, LedgerEntry.Type.LIMIT, custodian, null, null, null, PrivacyAmount.ZERO, limit, null);
        return Optional.of(new Step(account, account.after(entry), entry, null));
    }

    /**
     * The step that sets an analyst's allotment; empty if the allotment does not change.
     *
     * @param current the present allotment, or null
     * @param charged the sum of all charges of this analyst on this account
     * @throws ProblemException {@code VALIDATION_FAILED} if the analyst has spent more than that
     */
    static Optional<Step> allotment(
            Account account,
            @Nullable Allotment current,
            PrivacyAmount charged,
            String analyst,
            PrivacyAmount limit,
            String custodian,
            Instant at) {
        requireNotBelowSpent(account, charged, limit);
        Allotment allotment = new Allotment(analyst, limit, charged);
        if (allotment.equals(current)) {
            return Optional.empty();
        }
        LedgerEntry entry = next(
                account,
                at,
                LedgerEntry.Type.LIMIT,
                custodian,
                null,
                null,
                null,
                PrivacyAmount.ZERO,
                account.limit(),
                allotment);
        return Optional.of(new Step(account, account.after(entry), entry, null));
    }

    /**
     * The step that charges all that remains, for losses that the books do not contain; empty if nothing remains. It
     * has a question of its own, already answered, because every charge in the books needs one.
     */
    static Optional<Step> forfeit(Account account, String principal, Instant at, String queryId) {
        PrivacyAmount remaining = account.remaining();
        // If the limit has a rho, its epsilon and delta only say how rho was derived.
        boolean isConcentrated = !account.limit().rho().equals(Rho.ZERO);
        PrivacyAmount charge = isConcentrated ? PrivacyAmount.concentrated(remaining.rho()) : remaining;
        if (charge.equals(PrivacyAmount.ZERO)) {
            return Optional.empty();
        }
        RequestIdentity identity = new RequestIdentity(principal, "accept-restored-ledger", queryId);
        byte[] requestDigest = Sha256.of(new byte[0]);
        LedgerEntry entry = next(
                account,
                at,
                LedgerEntry.Type.CHARGE,
                principal,
                queryId,
                "restored",
                LedgerChain.requestHash(account.account(), identity, requestDigest),
                charge,
                account.limit(),
                null);
        BookedQuestion question = new BookedQuestion(
                queryId,
                account.account(),
                account.account(),
                identity,
                requestDigest,
                entry,
                null,
                FORFEITED.length,
                FORFEITED.clone());
        return Optional.of(new Step(account, account.after(entry), entry, question));
    }

    private static void requireNotBelowSpent(Account account, PrivacyAmount spent, PrivacyAmount limit) {
        if (!spent.fitsWithin(limit)) {
            Accountant accountant = account.accountant();
            throw ProblemException.validation(Violation.atPointer(
                    "/epsilon",
                    "must not be below what is spent: "
                            + accountant.stated(spent, limit).text() + ", was "
                            + accountant.stated(limit, limit).text()));
        }
    }

    private static LedgerEntry next(
            Account account,
            Instant at,
            LedgerEntry.Type type,
            String principal,
            @Nullable String queryId,
            @Nullable String kind,
            @Nullable String requestHash,
            PrivacyAmount charge,
            PrivacyAmount limitAfter,
            @Nullable Allotment allotmentAfter) {
        return LedgerChain.sealed(
                account.account(),
                new LedgerEntry(
                        account.headSequence() + 1,
                        at,
                        type,
                        principal,
                        queryId,
                        kind,
                        requestHash,
                        charge,
                        limitAfter,
                        account.spent().plus(charge),
                        allotmentAfter,
                        account.headHash(),
                        ""));
    }
}
