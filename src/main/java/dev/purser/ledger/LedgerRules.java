package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Decision;
import dev.purser.digest.Sha256;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as a state machine. From the state of the books and a request it derives the step to write, or the
 * refusal. All functions are pure. The caller supplies time and query ids.
 */
final class LedgerRules {
    private static final byte[] FORFEITED =
            "{\"restored\":\"what the lost entries may have spent\"}".getBytes(StandardCharsets.UTF_8);

    /** Stands for the answer of a question that a restored ledger must not answer. */
    static final byte[] CLOSED =
            "{\"restored\":\"closed: a lost answer may have been released\"}".getBytes(StandardCharsets.UTF_8);

    private LedgerRules() {}

    /**
     * The step that opens an account.
     *
     * @param limit the limit; with blocks, the limit of each block
     */
    static Step open(
            String account,
            Accountant accountant,
            PrivacyAmount limit,
            @Nullable Blocks blocks,
            String custodian,
            Instant at) {
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
                        blocks,
                        null,
                        LedgerChain.GENESIS,
                        ""));
        return new Step(
                null,
                new Account(account, accountant, limit, PrivacyAmount.ZERO, entry.sequence(), entry.hash(), blocks),
                entry,
                null);
    }

    /**
     * The step that charges a question which was not charged before.
     *
     * @throws ProblemException {@code BUDGET_EXHAUSTED} if it does not fit the account or the asker's allotment
     */
    static Step charge(AccountSnapshot standing, ChargeRequest request, Instant at, String queryId) {
        Account account = standing.account();
        BlockWindow window = request.blocks();
        requireItsBlocks(account, window);
        Accountant accountant = account.accountant();
        Decision.Admitted admitted = admitted(
                accountant.decide(standing.spent(window), request.event(), account.limit()),
                standing,
                window,
                account.limit(),
                "dataset");
        Allotment allotment = standing.allotment();
        Allotment allotmentAfter = null;
        PrivacyAmount allottedAfter = null;
        if (allotment != null) {
            Decision.Admitted within = admitted(
                    accountant.decide(standing.spentOfAllotment(allotment, window), request.event(), allotment.limit()),
                    standing,
                    window,
                    allotment.limit(),
                    "analyst");
            allottedAfter = within.spentAfter();
            allotmentAfter = new Allotment(
                    allotment.analyst(), allotment.limit(), allotment.spent().most(allottedAfter));
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
                account.spent().most(admitted.spentAfter()),
                allotmentAfter,
                window == null ? null : new BlockCharge(window, admitted.spentAfter(), allottedAfter));
        BookedQuestion question = new BookedQuestion(
                queryId,
                account.account(),
                request.datasetId(),
                request.identity(),
                requestDigest,
                entry,
                request.requestBody(),
                null,
                null);
        return new Step(account, account.after(entry), entry, question);
    }

    /**
     * Requires that a charge of an account with blocks names existing blocks, and that a charge of another account
     * names none.
     */
    private static void requireItsBlocks(Account account, @Nullable BlockWindow window) {
        Blocks blocks = account.blocks();
        if (blocks == null ? window != null : window == null || window.last() >= blocks.count()) {
            throw new IllegalArgumentException("not blocks of account " + account.account() + ": " + window);
        }
    }

    private static Decision.Admitted admitted(
            Decision decision,
            AccountSnapshot standing,
            @Nullable BlockWindow window,
            PrivacyAmount limit,
            String scope) {
        return switch (decision) {
            case Decision.Admitted admitted -> admitted;
            case Decision.Refused refused -> {
                ProblemException refusal =
                        exhausted(refused, standing.account().accountant(), limit, scope, "The question");
                throw window == null
                        ? refusal
                        : naming(standing.books().unableToPay(window, block -> refused.requested()), standing, refusal);
            }
        };
    }

    /** A refusal that names the blocks that cannot pay. */
    private static ProblemException naming(List<BlockRun> unable, AccountSnapshot standing, ProblemException refusal) {
        Account account = standing.account();
        Blocks blocks = Objects.requireNonNull(account.blocks());
        return refusal.with(
                "blocks",
                unable.stream()
                        .map(run -> NamedBlocks.of(
                                run, blocks, account.accountant().stated(run.remaining(), account.limit())))
                        .toList());
    }

    /** The refusal of questions that together do not fit into the budget of this scope. */
    static ProblemException exhausted(AccountSnapshot standing, List<ChargeRequest> requests, String scope) {
        Account account = standing.account();
        PrivacyAmount limit = scope.equals("analyst") && standing.allotment() != null
                ? standing.allotment().limit()
                : account.limit();
        if (account.blocks() != null) {
            return exhaustedBlocks(standing, account.blocks(), requests, limit, scope);
        }
        PrivacyAmount remaining = scope.equals("analyst") && standing.allotment() != null
                ? standing.allotment().remaining()
                : account.remaining();
        return exhausted(charge(account.accountant(), requests), remaining, account, limit, scope);
    }

    /**
     * As {@link #exhausted}, for blocks. It states the largest amount asked of a block that cannot pay, and the least
     * amount that such a block has left.
     */
    private static ProblemException exhaustedBlocks(
            AccountSnapshot standing, Blocks blocks, List<ChargeRequest> requests, PrivacyAmount limit, String scope) {
        Account account = standing.account();
        BlockSums wanted = new BlockSums(blocks.count());
        for (ChargeRequest each : requests) {
            wanted.addUpToCeiling(
                    Objects.requireNonNull(each.blocks()), account.accountant().charge(each.event()));
        }
        List<BlockRun> unable =
                standing.books().unableToPay(Objects.requireNonNull(ChargeRequest.hull(requests)), wanted::of);
        PrivacyAmount requested =
                unable.stream().map(run -> wanted.most(run.blocks())).reduce(PrivacyAmount.ZERO, PrivacyAmount::most);
        PrivacyAmount remaining = unable.stream().map(BlockRun::remaining).reduce(limit, PrivacyAmount::least);
        return naming(unable, standing, exhausted(requested, remaining, account, limit, scope));
    }

    private static ProblemException exhausted(
            PrivacyAmount charge, PrivacyAmount remaining, Account account, PrivacyAmount limit, String scope) {
        return exhausted(
                new Decision.Refused(charge, remaining, charge.minusDownToZero(remaining)),
                account.accountant(),
                limit,
                scope,
                "The plan");
    }

    /** The sum of the charges of these requests, for display. */
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
                .with("freeFrom", null)
                .with("refines", null);
    }

    /** The refusal of questions that may not be charged and were not answered before. It depends on requests alone. */
    static ProblemException nothingStored(Account account, List<ChargeRequest> requests) {
        Accountant accountant = account.accountant();
        StatedAmount charge = accountant.stated(charge(accountant, requests), account.limit());
        return ProblemException.of(
                        ProblemType.NOTHING_STORED,
                        "No answer to this question is stored, and the request does not permit a charge; to ask it"
                                + " costs " + charge.text() + ".")
                .with("charge", charge);
    }

    /** @throws ProblemException {@code IDEMPOTENCY_KEY_REUSED} if a request with the same identity had another body */
    static void requireSame(boolean isSameBody) {
        if (!isSameBody) {
            throw ProblemException.of(
                    ProblemType.IDEMPOTENCY_KEY_REUSED,
                    "This Idempotency-Key was used for a request with another body;"
                            + " send a new key with a new request.");
        }
    }

    /** The refusal to refine an answer whose released integers were not kept. */
    static ProblemException nothingKept() {
        return ProblemException.of(
                ProblemType.NOT_REFINABLE, "Nothing is stored of what this answer was made of. Ask the question anew.");
    }

    /** The refusal to refine an answer of a ledger that was restored. */
    static ProblemException chainEnded() {
        return ProblemException.of(
                ProblemType.NOT_REFINABLE,
                "The ledger was restored from a copy, and this answer may have been refined after the copy was made."
                        + " Ask the question anew.");
    }

    /** The refusal to refine an answer that is not there yet. */
    static ProblemException notAnsweredYet() {
        return ProblemException.of(
                        ProblemType.REQUEST_IN_FLIGHT, "the answer is charged and not drawn yet; refine it once it is")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** The refusal to refine an answer twice. */
    static ProblemException alreadyRefined(Refines newest) {
        return ProblemException.of(
                        ProblemType.ALREADY_REFINED,
                        "This answer was refined already; only the newest answer of a chain can be.")
                .with("newest", newest);
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
        LedgerEntry entry = limitEntry(account, at, custodian, limit, null);
        return Optional.of(new Step(account, account.after(entry), entry, null));
    }

    /**
     * The step that sets an analyst's allotment; empty if the allotment does not change.
     *
     * @param current the present allotment, or null
     * @param charged the sum of all charges of this analyst on this account; if the account has blocks, the largest sum
     *     of one block
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
        LedgerEntry entry = limitEntry(account, at, custodian, account.limit(), allotment);
        return Optional.of(new Step(account, account.after(entry), entry, null));
    }

    /**
     * The step that charges all that remains, for losses that the books do not contain; empty if nothing remains. The
     * step also makes a question that is already answered, because every charge in the books needs a question.
     *
     * @param run blocks with equal remainders; null for an account without blocks
     */
    static Optional<Step> forfeit(
            Account account, @Nullable BlockRun run, String principal, Instant at, String queryId) {
        PrivacyAmount remaining = run == null ? account.remaining() : run.remaining();
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
                run == null
                        ? account.spent().plus(charge)
                        : account.spent().most(run.spent().plus(charge)),
                null,
                run == null ? null : new BlockCharge(run.blocks(), run.spent().plus(charge), null));
        BookedQuestion question = new BookedQuestion(
                queryId,
                account.account(),
                account.account(),
                identity,
                requestDigest,
                entry,
                null,
                FORFEITED.clone(),
                null);
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

    private static LedgerEntry limitEntry(
            Account account, Instant at, String custodian, PrivacyAmount limit, @Nullable Allotment allotment) {
        return next(
                account,
                at,
                LedgerEntry.Type.LIMIT,
                custodian,
                null,
                null,
                null,
                PrivacyAmount.ZERO,
                limit,
                account.spent(),
                allotment,
                null);
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
            PrivacyAmount spentAfter,
            @Nullable Allotment allotmentAfter,
            @Nullable BlockCharge charged) {
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
                        spentAfter,
                        allotmentAfter,
                        null,
                        charged,
                        account.headHash(),
                        ""));
    }
}
