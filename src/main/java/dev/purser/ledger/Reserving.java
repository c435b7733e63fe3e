package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.privacy.BlockWindow;
import dev.purser.problem.ProblemException;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What {@link BudgetLedger#reserve} does inside one transaction.
 *
 * <p>It decides first and writes afterwards. Each question of a plan is decided as if the earlier questions of the plan
 * had already been asked. If a question is refused or has to wait for an answer, nothing is written.
 *
 * @param at the time of the charges
 * @param ids makes query ids
 */
record Reserving(Books books, Instant at, Function<Instant, String> ids) {
    /** The most answers of a chain that are followed to find its newest answer. */
    private static final int MOST_STEPS = 100;

    /**
     * The decision about a question. It becomes an outcome once the transaction is committed.
     *
     * @param question the question itself, or a question that is alike
     * @param leftover the amount left to the asker if the question is only alike; null if it is the question itself
     * @param step the step that charges the question; null if it is not charged now
     */
    record Decided(
            BookedQuestion question,
            @Nullable Leftover leftover,
            @Nullable Step step) {
        /** @param own the ids of the plan's own questions */
        ReserveOutcome outcome(Set<String> own) {
            Optional<StoredAnswer> answer = question.answer();
            if (leftover == null) {
                return answer.<ReserveOutcome>map(ReserveOutcome.Replayed::new)
                        .orElseGet(() -> new ReserveOutcome.Reserved(question.debit()));
            }
            ReserveOutcome.Shared shared = new ReserveOutcome.Shared(
                    question.queryId(), question.entry().at(), leftover);
            return answer.<ReserveOutcome>map(shared::answered)
                    .orElseGet(() -> own.contains(shared.queryId()) ? shared : new ReserveOutcome.Awaited());
        }
    }

    /** Where the answer of a question comes from: a stored answer, an earlier question of the plan, or a charge. */
    private sealed interface Source {
        record Stored(BookedQuestion question) implements Source {}

        record SameAs(int place) implements Source {}

        record Charge() implements Source {}
    }

    /** One question; empty if another instance changed the account first. */
    Optional<Decided> question(ChargeRequest request) throws SQLException {
        AccountSnapshot standing = books.standing(request.account(), request.identity(), request.blocks())
                .orElseThrow(() -> BudgetLedger.noAccount(request.account()));
        if (standing.earlier() != null) {
            LedgerRules.requireSame(standing.earlier().isFor(request.requestBody()));
            return Optional.of(goneOn(standing.earlier(), request, standing));
        }
        if (request.refines() != null) {
            requireRefinable(books, request.refines().queryId());
        }
        List<Decided> decided = decided(standing, List.of(request), false);
        return tryToWrite(List.of(request), decided) ? Optional.of(decided.getFirst()) : Optional.empty();
    }

    /**
     * Whether an answer can be refined: it is stored with what it was made of, and nothing refines it. If another
     * instance has charged a refinement since, that charge changed the account, so this is decided again.
     */
    static void requireRefinable(Books books, String queryId) throws SQLException {
        Refinements refinements = books.refinements();
        BookedQuestion refined = books.question(queryId).orElseThrow();
        if (refined.answer().isEmpty()) {
            throw LedgerRules.notAnsweredYet();
        }
        Released released = refinements.released(queryId).orElseThrow(LedgerRules::nothingKept);
        if (released.isEnded() || refined.isClosed()) {
            throw LedgerRules.chainEnded();
        }
        Optional<Refines> next = refinements.refinedBy(queryId);
        if (next.isPresent()) {
            throw LedgerRules.alreadyRefined(newest(refinements, next.orElseThrow()));
        }
    }

    /**
     * The newest answer of a chain. In a very long chain it is only an answer after {@code from}, so that the time is
     * bounded.
     */
    private static Refines newest(Refinements refinements, Refines from) throws SQLException {
        Refines newest = from;
        for (int steps = 0; steps < MOST_STEPS; steps++) {
            Optional<Refines> next = refinements.refinedBy(newest.queryId());
            if (next.isEmpty()) {
                break;
            }
            newest = next.orElseThrow();
        }
        return newest;
    }

    /** A plan; empty if another instance changed the account first. */
    Optional<List<Decided>> plan(PlanRequest plan) throws SQLException {
        // The account is read first: a debit is written only if the account is still as it was then.
        Account account = books.account(plan.account()).orElseThrow(() -> BudgetLedger.noAccount(plan.account()));
        Allotment allotment =
                books.allotment(plan.account(), plan.identity().principal()).orElse(null);
        BlockWindow window = ChargeRequest.hull(plan.questions());
        AccountSnapshot standing = new AccountSnapshot(
                account, allotment, null, window == null ? null : books.blocks(account, allotment, window));
        Optional<BookedPlan> earlier = books.plan(plan.identity());
        if (earlier.isPresent()) {
            return Optional.of(goneOn(earlier.orElseThrow(), plan, standing));
        }
        List<Decided> decided = decided(standing, plan.questions(), true);
        if (!tryToWrite(plan.questions(), decided)) {
            return Optional.empty();
        }
        if (decided.stream().anyMatch(each -> each.step() != null)) {
            List<BookedPlan.Item> items = decided.stream()
                    .map(each -> new BookedPlan.Item(each.question().queryId(), each.leftover()))
                    .toList();
            books.add(new BookedPlan(
                    plan.identity(), plan.account(), plan.datasetId(), Sha256.of(plan.requestBody()), items));
        }
        return Optional.of(decided);
    }

    private List<Decided> goneOn(BookedPlan earlier, PlanRequest plan, AccountSnapshot standing) throws SQLException {
        LedgerRules.requireSame(earlier.isFor(plan.requestBody()));
        List<Decided> decided = new ArrayList<>();
        for (int i = 0; i < earlier.items().size(); i++) {
            BookedPlan.Item item = earlier.items().get(i);
            BookedQuestion question = books.question(item.queryId()).orElseThrow();
            if (item.leftover() != null) {
                decided.add(new Decided(LedgerRules.continued(question), item.leftover(), null));
                continue;
            }
            Decided own = goneOn(question, plan.questions().get(i), standing);
            if (own.leftover() != null) {
                return List.of(own);
            }
            decided.add(own);
        }
        return decided;
    }

    /** The role of a key may have changed since the debit. A key that may no longer spend waits for the answer. */
    private static Decided goneOn(BookedQuestion own, ChargeRequest request, AccountSnapshot standing) {
        BookedQuestion continued = LedgerRules.continued(own);
        boolean goesOn = request.goesOn() || continued.answer().isPresent();
        return new Decided(continued, goesOn ? null : standing.leftover(request.blocks()), null);
    }

    /**
     * Decides about each request. If the answer of an earlier question has to be awaited, only this question is
     * returned.
     */
    private List<Decided> decided(AccountSnapshot standing, List<ChargeRequest> requests, boolean isPlan)
            throws SQLException {
        List<Source> sources = new ArrayList<>();
        Map<ByteBuffer, Integer> charged = new HashMap<>();
        List<Integer> notStored = new ArrayList<>();
        BookedQuestion awaited = null;
        for (ChargeRequest request : requests) {
            ByteBuffer form = request.form() == null
                    ? null
                    : ByteBuffer.wrap(request.form().digest());
            BookedQuestion alike = alike(request).orElse(null);
            Integer same = request.reuse() == null || form == null ? null : charged.get(form);
            if (alike != null && alike.answer().isPresent()) {
                sources.add(new Source.Stored(alike));
            } else if (same != null) {
                sources.add(new Source.SameAs(same));
            } else {
                awaited = alike == null ? awaited : alike;
                if (request.isDebited()) {
                    charged.putIfAbsent(form, sources.size());
                } else if (alike == null) {
                    notStored.add(sources.size());
                }
                sources.add(new Source.Charge());
            }
        }
        if (!notStored.isEmpty()) {
            ProblemException refusal = LedgerRules.nothingStored(
                    standing.account(), notStored.stream().map(requests::get).toList());
            throw isPlan ? refusal.with("notStored", notStored) : refusal;
        }
        return awaited == null
                ? charged(standing, requests, sources, isPlan)
                : List.of(new Decided(
                        awaited, standing.leftover(requests.getFirst().blocks()), null));
    }

    /** The question whose answer the request reuses or has to wait for. */
    private Optional<BookedQuestion> alike(ChargeRequest request) throws SQLException {
        return request.form() == null || request.reuse() == null
                ? Optional.empty()
                : books.alike(request.datasetId(), request.form(), at.minus(request.reuse()))
                        .filter(found -> !found.isClosed());
    }

    private List<Decided> charged(
            AccountSnapshot standing, List<ChargeRequest> requests, List<Source> sources, boolean isPlan) {
        List<Decided> decided = new ArrayList<>();
        AccountSnapshot present = standing.copy();
        for (int i = 0; i < requests.size(); i++) {
            switch (sources.get(i)) {
                case Source.Stored(BookedQuestion question) ->
                    decided.add(new Decided(
                            question, present.leftover(requests.get(i).blocks()), null));
                case Source.SameAs(int place) ->
                    decided.add(new Decided(
                            decided.get(place).question(),
                            present.leftover(requests.get(i).blocks()),
                            null));
                case Source.Charge() -> {
                    String id = ids.apply(at);
                    ChargeRequest request = isPlan ? requests.get(i).under(id) : requests.get(i);
                    Step step;
                    try {
                        step = LedgerRules.charge(present, request, at, id);
                    } catch (ProblemException exhausted) {
                        throw isPlan ? exhausted(standing, requests, sources, i, exhausted) : exhausted;
                    }
                    present = present.after(step);
                    decided.add(new Decided(step.charged(), null, step));
                }
            }
        }
        return decided;
    }

    /** The refusal of a plan, made from the refusal of its first question that does not fit. */
    private static ProblemException exhausted(
            AccountSnapshot standing,
            List<ChargeRequest> requests,
            List<Source> sources,
            int first,
            ProblemException refusal) {
        List<ChargeRequest> charged = IntStream.range(0, requests.size())
                .filter(i -> sources.get(i) instanceof Source.Charge)
                .mapToObj(requests::get)
                .toList();
        return LedgerRules.exhausted(
                        standing, charged, String.valueOf(refusal.members().get("scope")))
                .with("firstThatDoesNotFit", first);
    }

    /** Writes what was decided. Returns false, and writes nothing, if another instance changed the account. */
    private boolean tryToWrite(List<ChargeRequest> requests, List<Decided> decided) throws SQLException {
        boolean isBegun = false;
        for (int i = 0; i < decided.size(); i++) {
            Step step = decided.get(i).step();
            if (step == null) {
                continue;
            }
            if (!books.append(step)) {
                if (isBegun) {
                    // The first step locked the account's row, so this does not happen. All of it is undone.
                    throw BudgetLedger.contended();
                }
                return false;
            }
            isBegun = true;
            Refines refines = requests.get(i).refines();
            if (refines != null) {
                books.refinements().add(decided.get(i).question(), refines);
            }
            CanonicalForm form = requests.get(i).form();
            if (form != null) {
                books.describe(decided.get(i).question(), form);
            }
        }
        return true;
    }
}
