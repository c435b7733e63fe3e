package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.accounting.Accountants;
import dev.purser.digest.Sha256;
import dev.purser.lab.Options;
import dev.purser.ledger.attachment.Attachment;
import dev.purser.ledger.attachment.Attachments;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Order;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ledger on a store that fails: several instances; clients that ask, retry, ask twice, ask late, reuse keys and
 * permit that an answer is reused; accounts with and without blocks; answers with attachments; custodians that change
 * limits; a sweeper; and a clock that jumps. Every outcome is compared with a model of a few maps in whole numbers, at
 * the moment the decision was made. A seed repeats a history exactly.
 */
final class LedgerSimulation {
    private static final int ACCOUNTS = 4;
    private static final int ANALYSTS = 3;
    private static final int KEYS = 300;
    private static final int PRICES = 40;
    private static final int ONE_IN = 40;
    private static final int STEPS_BETWEEN_AUDITS = 1_000;
    private static final Blocks BLOCKS = Blocks.from("day", new Blocks.Day(), "2026-03-01", 6);

    /** The bytes of a piece. Attachments then have two to four pieces. */
    private static final int PIECE_BYTES = 8;

    private static final Duration ANY_AGE = Duration.ofDays(365_250_000);
    private static final String PLANS = "POST /plans/";
    private static final String PAID_BY_ANOTHER = "paid by another";

    /** The prices that were computed already. Computing a price takes long under zcdp. */
    private static final Map<String, List<PrivacyEvent>> KNOWN_PRICES = new ConcurrentHashMap<>();

    private static final Map<String, PrivacyAmount> KNOWN_LIMITS = new ConcurrentHashMap<>();

    /** Something that must never be. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;

        Violation(long seed, long step, String what) {
            super("seed " + seed + ", step " + step + ": " + what);
        }
    }

    /**
     * One account in the model: its parts in whole units, so that nothing is shared with the code under test. What is
     * spent is an array with a sum for each block. An account without blocks has one block.
     */
    private static final class ModelAccount {
        final Accountant accountant;
        final @Nullable Blocks blocks;
        BigInteger limit;
        final BigInteger[] spent;
        final Map<String, BigInteger> ceilings = new HashMap<>();
        final Map<String, BigInteger[]> spentBy = new HashMap<>();
        final Set<String> bodiesPaid = new HashSet<>();

        ModelAccount(Accountant accountant, @Nullable Blocks blocks, BigInteger limit) {
            this.accountant = accountant;
            this.blocks = blocks;
            this.limit = limit;
            this.spent = nothing();
        }

        BigInteger[] nothing() {
            BigInteger[] sums = new BigInteger[blocks == null ? 1 : blocks.count()];
            Arrays.fill(sums, BigInteger.ZERO);
            return sums;
        }

        BigInteger[] spentBy(String analyst) {
            return spentBy.computeIfAbsent(analyst, none -> nothing());
        }

        BigInteger charge(ChargeRequest request) {
            return units(accountant, accountant.charge(request.event()));
        }

        BigInteger[] wanted(BlockWindow window, BigInteger charge) {
            BigInteger[] wanted = nothing();
            add(wanted, window, charge);
            return wanted;
        }

        /** Whether each block can pay what it is asked for. */
        boolean fits(BigInteger[] wanted, String analyst) {
            BigInteger ceiling = ceilings.get(analyst);
            return IntStream.range(0, wanted.length)
                    .filter(block -> wanted[block].signum() > 0)
                    .allMatch(block -> spent[block].add(wanted[block]).compareTo(limit) <= 0
                            && (ceiling == null
                                    || spentBy(analyst)[block]
                                                    .add(wanted[block])
                                                    .compareTo(ceiling)
                                            <= 0));
        }
    }

    private static void add(BigInteger[] sums, BlockWindow window, BigInteger charge) {
        for (int block = window.first(); block <= window.last(); block++) {
            sums[block] = sums[block].add(charge);
        }
    }

    private static BigInteger most(BigInteger[] sums) {
        return Arrays.stream(sums).max(Comparator.naturalOrder()).orElseThrow();
    }

    private static BigInteger[] part(BigInteger[] sums, BlockWindow window) {
        return Arrays.copyOfRange(sums, window.first(), window.last() + 1);
    }

    private static BlockWindow window(ChargeRequest request) {
        return Objects.requireNonNullElse(request.blocks(), BlockWindow.of(0));
    }

    /** A charge that stands, as far as the model knows. */
    private record Paid(String body, @Nullable BlockWindow blocks) {}

    private static final byte[] SERIES = new byte[32];
    private static final Epsilon SUM = Epsilon.parse("1");

    private final List<CommittedDebit> answered = new ArrayList<>();
    private final Map<String, RequestIdentity> refinedBy = new HashMap<>();
    private final long seed;
    private final Random random;
    private final SimulatedStore store;
    private final List<BudgetLedger> instances = new ArrayList<>();
    private final Map<String, ModelAccount> accounts = new HashMap<>();
    private final Map<RequestIdentity, Paid> paid = new HashMap<>();
    private final Map<RequestIdentity, byte[]> released = new HashMap<>();
    private final List<ChargeRequest> late = new ArrayList<>();
    private final List<PlanRequest> plans = new ArrayList<>();
    private final Set<RequestIdentity> bought = new HashSet<>();
    private final Map<String, Long> counts = new HashMap<>();
    private long now = 1_700_000_000_000L;
    private long step;
    private long noise;
    private int depth;

    LedgerSimulation(long seed, SimulatedStore.Bug bug) {
        this.seed = seed;
        this.random = new Random(seed);
        this.store = new SimulatedStore(random, ONE_IN, bug);
        for (int i = 0; i < 2; i++) {
            instances.add(ledgerOn(store));
        }
        for (int i = 0; i < ACCOUNTS; i++) {
            open(i);
        }
        store.setRival(this::rival);
    }

    private BudgetLedger ledgerOn(LedgerStore any) {
        return new BudgetLedger(
                any, ((InstantSource) this::jump).withZone(ZoneOffset.UTC), random::nextLong, PIECE_BYTES);
    }

    private void open(int i) {
        Accountant accountant = Accountants.ALL.get(i % Accountants.ALL.size());
        String account = "account-" + i;
        Blocks blocks = i % 2 == 0 ? null : BLOCKS;
        PrivacyAmount limit = limit(accountant, 90 + random.nextInt(60));
        while (!accounts.containsKey(account)) {
            try {
                store.change(account, books -> {
                    instances.getFirst().open(books, account, accountant, limit, blocks, "carla");
                    return null;
                });
                accounts.put(account, new ModelAccount(accountant, blocks, units(accountant, limit)));
            } catch (SimulatedStore.Crash | ProblemException notYet) {
                if (present(account)) {
                    accounts.put(account, new ModelAccount(accountant, blocks, units(accountant, limit)));
                }
            }
        }
    }

    private boolean present(String account) {
        try {
            return store.withoutFailures().account(account).isPresent();
        } catch (SQLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The privacy events of questions, from cheap to expensive. */
    private static List<PrivacyEvent> prices(Accountant accountant) {
        return KNOWN_PRICES.computeIfAbsent(
                accountant.name(),
                name -> IntStream.range(0, PRICES)
                        .mapToObj(i -> new Epsilon(1_000 + i * 600_000L))
                        .map(epsilon ->
                                accountant.allowance(epsilon, Delta.ZERO).event())
                        .toList());
    }

    /** A limit of so many tenths. */
    private static PrivacyAmount limit(Accountant accountant, int tenths) {
        return KNOWN_LIMITS.computeIfAbsent(accountant.name() + tenths, name -> newLimit(accountant, tenths));
    }

    private static PrivacyAmount newLimit(Accountant accountant, int tenths) {
        Epsilon epsilon = new Epsilon(tenths * 100_000_000L);
        return accountant.name().equals("pure")
                ? accountant.limit(epsilon, Delta.ZERO)
                : accountant.limit(epsilon, Delta.parse("1e-6"));
    }

    /** The one part that this account counts in, or both in one number: parts never carry into each other. */
    private static BigInteger units(Accountant accountant, PrivacyAmount amount) {
        return switch (accountant.name()) {
            case "zcdp" -> BigInteger.valueOf(amount.rho().picos());
            default -> BigInteger.valueOf(amount.epsilon().nanos());
        };
    }

    private Instant jump() {
        // Now and then the clock jumps ten years ahead or back.
        now += random.nextInt(1_000) == 0 ? (random.nextBoolean() ? 1 : -1) * 315_360_000_000L : random.nextInt(5);
        return Instant.ofEpochMilli(Math.max(now, 1));
    }

    /** Runs this many steps, and returns how often each thing happened. */
    Map<String, Long> run(long steps) {
        for (step = 1; step <= steps; step++) {
            act();
            count("steps");
            if (step % STEPS_BETWEEN_AUDITS == 0) {
                audit();
            }
        }
        while (!seen(books -> books.reservations("", 1)).isEmpty()) {
            sweep();
        }
        audit();
        return counts;
    }

    /** Looks at the books without failures. */
    private <T> T seen(LedgerStore.Work<T> work) {
        return store.lookedAtWithoutFailures().look(work);
    }

    Map<FaultPoint, Integer> fired() {
        return store.fired();
    }

    private void rival() {
        if (depth < 3) {
            depth++;
            try {
                act();
            } finally {
                depth--;
            }
        }
    }

    private void act() {
        switch (random.nextInt(60)) {
            case 0 -> moveLimit();
            case 1 -> moveAllotment();
            case 2, 3, 4 -> sweep();
            case 5, 6, 7, 8, 9 -> {
                if (!late.isEmpty()) {
                    // Out of order: whatever was sent long ago arrives now.
                    ask(late.remove(random.nextInt(late.size())));
                }
            }
            case 10, 11 -> audited();
            case 12, 13, 14, 15, 16, 17 -> buy();
            default -> {
                ChargeRequest request = !answered.isEmpty() && random.nextInt(6) == 0 ? refining() : request();
                if (random.nextInt(10) == 0) {
                    late.add(request);
                }
                ask(request);
                if (random.nextInt(5) == 0) {
                    ask(request);
                }
            }
        }
    }

    private BudgetLedger instance() {
        return instances.get(random.nextInt(instances.size()));
    }

    private ChargeRequest request() {
        String account = "account-" + random.nextInt(ACCOUNTS);
        return request(
                account,
                new RequestIdentity(
                        "analyst-" + random.nextInt(ANALYSTS), "POST /" + account, "k" + random.nextInt(KEYS)));
    }

    private ChargeRequest request(String account, RequestIdentity identity) {
        int price = random.nextInt(PRICES);
        BlockWindow window = window(model(account));
        byte[] body = bytes("body of " + price + " about " + window);
        return new ChargeRequest(
                account,
                account,
                "count",
                prices(model(account).accountant).get(price),
                identity,
                body,
                CanonicalForm.of(body, new TreeSet<>()),
                random.nextInt(4) == 0 ? ANY_AGE : null,
                ChargeRequest.Writes.DEBIT,
                window);
    }

    private @Nullable BlockWindow window(ModelAccount account) {
        if (account.blocks == null) {
            return null;
        }
        int first = random.nextInt(account.blocks.count());
        return new BlockWindow(first, random.nextInt(first, account.blocks.count()));
    }

    /** A refinement of an answer, by anybody, whether it was refined before or not. */
    private ChargeRequest refining() {
        CommittedDebit refined = answered.get(random.nextInt(answered.size()));
        byte[] body = bytes("refinement of " + refined.queryId());
        return new ChargeRequest(
                refined.account(),
                refined.account(),
                "refinement",
                prices(model(refined.account()).accountant).getFirst(),
                new RequestIdentity(
                        "analyst-" + random.nextInt(ANALYSTS),
                        "POST /" + refined.queryId(),
                        "k" + random.nextInt(KEYS)),
                body,
                CanonicalForm.of(body, new TreeSet<>()),
                null,
                ChargeRequest.Writes.DEBIT,
                refined.blocks().orElse(null),
                new Refines(refined.queryId(), SUM));
    }

    /** A new plan of two or three questions, or one that was sent before. */
    private void buy() {
        if (!plans.isEmpty() && random.nextInt(3) == 0) {
            buy(plans.get(random.nextInt(plans.size())));
            return;
        }
        ChargeRequest first = request();
        String analyst = first.identity().principal();
        RequestIdentity identity = new RequestIdentity(analyst, PLANS + first.account(), "plan " + plans.size());
        List<ChargeRequest> questions = new ArrayList<>();
        for (int i = random.nextInt(2, 4); i > 0; i--) {
            questions.add(request(first.account(), identity));
        }
        plans.add(
                new PlanRequest(first.account(), first.account(), identity, bytes("plan " + plans.size()), questions));
        buy(plans.getLast());
    }

    private void buy(PlanRequest plan) {
        PlanExpectation[] expected = new PlanExpectation[1];
        Runnable outer = store.setLooked(() -> expected[0] = expectation(plan));
        BudgetLedger ledger = instance();
        try {
            List<ReserveOutcome> outcomes = ledger.reserve(plan);
            count("plans admitted");
            if (outcomes.getFirst() instanceof ReserveOutcome.Awaited) {
                require(expected[0].isShared(), "a plan waits for nothing");
                return;
            }
            require(expected[0].fits(), "a plan was admitted that does not fit");
            found(plan);
            List<CommittedDebit> owed = new ArrayList<>();
            for (ReserveOutcome outcome : outcomes) {
                switch (outcome) {
                    case ReserveOutcome.Reserved(CommittedDebit debit) -> owed.add(debit);
                    case ReserveOutcome.Replayed(StoredAnswer answer) -> release(answer);
                    case ReserveOutcome.Reused reused -> release(reused.answer());
                    case ReserveOutcome.Shared _, ReserveOutcome.Awaited _ -> count("shared");
                }
            }
            if (!owed.isEmpty() && random.nextInt(4) != 0) {
                settle(ledger, owed);
            }
        } catch (ProblemException refusal) {
            if (refusal.type() != ProblemType.TEMPORARILY_UNAVAILABLE) {
                count("plans refused");
                require(
                        refusal.type() == ProblemType.BUDGET_EXHAUSTED && !expected[0].fits(),
                        "a plan was refused with " + refusal.type());
            }
            found(plan);
        } catch (SimulatedStore.Crash crash) {
            found(plan);
        } finally {
            store.setLooked(outer);
        }
    }

    private void settle(BudgetLedger ledger, List<CommittedDebit> owed) {
        try {
            ledger.settle(owed.stream().map(debit -> drawn(ledger, debit)).toList())
                    .forEach(this::release);
        } catch (ProblemException | SimulatedStore.Crash lost) {
            count("answers of a plan unknown");
        } catch (IllegalStateException missing) {
            throw new Violation(seed, step, "nothing to settle: " + missing.getMessage());
        }
    }

    /** An answer that nobody drew before; with an attachment, if the question is of the kind that has one. */
    private Settlement drawn(BudgetLedger ledger, CommittedDebit debit) {
        byte[] body = bytes("answer " + noise++);
        if (!hasAttachment(debit.sequence())) {
            return new Settlement(debit, body, null, new Released(SERIES, SUM, body));
        }
        String series = ledger.firstOfSeries(debit.account(), Order.ASC, "", 5).stream()
                .filter(any -> random.nextInt(10) == 0)
                .findAny()
                .orElse(debit.queryId());
        return new Settlement(debit, body, ledger.attach(debit, new Attachment(series, attachmentOf(body))));
    }

    private static boolean hasAttachment(long sequence) {
        return sequence % 8 == 0;
    }

    /** The attachments of two answers differ in their last pieces alone. */
    private static byte[] attachmentOf(byte[] body) {
        return bytes("the content of " + new String(body, StandardCharsets.UTF_8));
    }

    /**
     * What the model says of a plan.
     *
     * @param fits whether what it has to be charged fits, or was charged before
     * @param isShared whether it may reuse an answer of another request, which it may have to wait for
     */
    private record PlanExpectation(boolean fits, boolean isShared) {}

    private PlanExpectation expectation(PlanRequest plan) {
        if (bought.contains(plan.identity())) {
            return new PlanExpectation(true, false);
        }
        ModelAccount account = model(plan.account());
        BigInteger[] wanted = account.nothing();
        Set<String> here = new HashSet<>();
        boolean isShared = false;
        for (ChargeRequest question : plan.questions()) {
            boolean isPaid = question.reuse() != null && isPaidByAnybody(question);
            isShared |= isPaid;
            if (!isPaid && (question.reuse() == null || !here.contains(bodyOf(question)))) {
                add(wanted, window(question), account.charge(question));
                here.add(bodyOf(question));
            }
        }
        return new PlanExpectation(account.fits(wanted, plan.identity().principal()), isShared);
    }

    /** The model takes over what the books have of a plan: all of its questions, or none. */
    private void found(PlanRequest plan) {
        BookedPlan booked = store.bought(plan.identity());
        if (booked == null || !bought.add(plan.identity())) {
            return;
        }
        count("plans bought");
        for (int i = 0; i < booked.items().size(); i++) {
            BookedPlan.Item item = booked.items().get(i);
            ChargeRequest question = plan.questions().get(i).under(item.queryId());
            if (item.leftover() == null) {
                require(store.witnessed(question.identity()) != null, "a question of a plan is not there");
                pay(question, model(plan.account()).charge(question));
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String bodyOf(ChargeRequest request) {
        return new String(request.requestBody(), StandardCharsets.UTF_8);
    }

    private ModelAccount model(String account) {
        return Objects.requireNonNull(accounts.get(account));
    }

    private void ask(ChargeRequest request) {
        Object[] expected = new Object[1];
        Runnable outer = store.setLooked(() -> expected[0] = expectation(request));
        BudgetLedger ledger = instance();
        try {
            ReserveOutcome admission = ledger.reserve(request);
            count("admitted");
            known(request, admission, expected[0]);
            switch (admission) {
                case ReserveOutcome.Reused reused ->
                    release(identityOf(reused.answer()), reused.answer().beginning());
                case ReserveOutcome.Awaited _, ReserveOutcome.Shared _ -> count("awaited");
                case ReserveOutcome.Replayed(StoredAnswer answer) -> release(request.identity(), answer.beginning());
                case ReserveOutcome.Reserved(CommittedDebit debit) -> {
                    if (random.nextInt(4) != 0) {
                        settle(ledger, request.identity(), debit);
                    }
                }
            }
        } catch (ProblemException refusal) {
            refused(request, refusal, expected[0]);
        } catch (SimulatedStore.Crash crash) {
            unknown(request);
        } finally {
            store.setLooked(outer);
        }
    }

    /** What the model says now: the problem type, or that it is paid (a Paid), or that it fits (a charge). */
    private Object expectation(ChargeRequest request) {
        ModelAccount account = model(request.account());
        Paid earlier = paid.get(request.identity());
        if (earlier != null) {
            return earlier.body.equals(bodyOf(request)) ? earlier : ProblemType.IDEMPOTENCY_KEY_REUSED;
        }
        if (request.refines() != null && refinedBy.containsKey(request.refines().queryId())) {
            return ProblemType.ALREADY_REFINED;
        }
        if (request.reuse() != null && isPaidByAnybody(request)) {
            return PAID_BY_ANOTHER;
        }
        BigInteger charge = account.charge(request);
        BigInteger[] wanted = account.wanted(window(request), charge);
        return account.fits(wanted, request.identity().principal()) ? charge : ProblemType.BUDGET_EXHAUSTED;
    }

    private boolean isPaidByAnybody(ChargeRequest request) {
        return model(request.account()).bodiesPaid.contains(bodyOf(request));
    }

    private void release(StoredAnswer answer) {
        release(identityOf(answer), answer.beginning());
    }

    private RequestIdentity identityOf(StoredAnswer answer) {
        Optional<BookedQuestion> question = seen(books -> books.question(answer.queryId()));
        return question.map(BookedQuestion::identity)
                .filter(paid::containsKey)
                .orElseThrow(() -> new Violation(seed, step, "an answer that nobody paid for"));
    }

    /** The ledger said that the charge stands, or that an answer to another request is reused. */
    private void known(ChargeRequest request, ReserveOutcome admission, Object expected) {
        if (admission instanceof ReserveOutcome.Reused || admission instanceof ReserveOutcome.Awaited) {
            count("paid by another");
            require(expected == PAID_BY_ANOTHER, "not charged, expected " + expected);
            return;
        }
        require(expected instanceof Paid || expected instanceof BigInteger, "admitted, expected " + expected);
        if (expected instanceof BigInteger charge) {
            pay(request, charge);
        }
        require(store.witnessed(request.identity()) != null, "an admitted charge is not there");
    }

    private void pay(ChargeRequest request, BigInteger charge) {
        ModelAccount account = model(request.account());
        add(account.spent, window(request), charge);
        add(account.spentBy(request.identity().principal()), window(request), charge);
        account.bodiesPaid.add(bodyOf(request));
        require(paid.put(request.identity(), new Paid(bodyOf(request), request.blocks())) == null, "charged twice");
        if (request.refines() != null) {
            count("refined");
            require(
                    refinedBy.put(request.refines().queryId(), request.identity()) == null,
                    "an answer was refined twice");
        }
    }

    private void refused(ChargeRequest request, ProblemException refusal, @Nullable Object expected) {
        if (refusal.type() == ProblemType.TEMPORARILY_UNAVAILABLE) {
            unknown(request);
            return;
        }
        count(refusal.type().name().toLowerCase(Locale.ROOT));
        require(refusal.type() == expected, "refused with " + refusal.type() + ", expected " + expected);
        if (expected == ProblemType.BUDGET_EXHAUSTED && request.blocks() != null) {
            requireNamed(request, refusal);
        }
    }

    /** The refusal names the blocks that cannot pay, and no others. */
    private void requireNamed(ChargeRequest request, ProblemException refusal) {
        ModelAccount account = model(request.account());
        Set<String> named = new HashSet<>();
        for (Object each : (List<?>) Objects.requireNonNull(refusal.members().get("blocks"))) {
            NamedBlocks run = (NamedBlocks) each;
            IntStream.rangeClosed(
                            BLOCKS.named(run.from()).orElseThrow(),
                            BLOCKS.named(run.to()).orElseThrow())
                    .mapToObj(BLOCKS::label)
                    .forEach(named::add);
        }
        BlockWindow window = window(request);
        Set<String> unable = IntStream.rangeClosed(window.first(), window.last())
                .filter(block -> !account.fits(
                        account.wanted(BlockWindow.of(block), account.charge(request)),
                        request.identity().principal()))
                .mapToObj(BLOCKS::label)
                .collect(Collectors.toSet());
        require(named.equals(unable), "a refusal names " + named + ", and " + unable + " cannot pay");
        count("blocks named");
    }

    /** The outcome is unknown: the charge stands or it does not, and the model takes over what the books have. */
    private void unknown(ChargeRequest request) {
        count("unknown");
        BookedQuestion found = store.witnessed(request.identity());
        if (found != null && !paid.containsKey(request.identity())) {
            count("unknown and charged");
            ModelAccount account = model(request.account());
            BigInteger charge = account.charge(request);
            require(
                    units(account.accountant, found.entry().charge()).equals(charge),
                    "an unknown outcome was charged another amount");
            pay(request, charge);
        }
    }

    private void settle(BudgetLedger ledger, RequestIdentity identity, CommittedDebit debit) {
        requireItsBlocks(identity, debit);
        try {
            release(
                    identity,
                    ledger.settle(List.of(drawn(ledger, debit))).getFirst().beginning());
            if (!hasAttachment(debit.sequence())) {
                answered.add(debit);
            }
        } catch (ProblemException | SimulatedStore.Crash lost) {
            count("answer unknown");
        } catch (IllegalStateException missing) {
            throw new Violation(seed, step, "nothing to settle: " + missing.getMessage());
        }
    }

    /** Requires that the rows of the blocks that paid are read for a debit, now or later. */
    private void requireItsBlocks(RequestIdentity identity, CommittedDebit debit) {
        Paid standing = Objects.requireNonNull(paid.get(identity));
        require(debit.blocks().equals(Optional.ofNullable(standing.blocks)), "other blocks are read than have paid");
    }

    /** Every answer that leaves the service under one identity is the same for ever, and was paid for. */
    private void release(RequestIdentity identity, byte[] body) {
        count("released");
        byte[] before = released.putIfAbsent(identity, body.clone());
        require(before == null || Arrays.equals(before, body), "two answers to one question");
        BookedQuestion question = store.witnessed(identity);
        require(question != null, "an answer without a debit");
        requireAttachment(Objects.requireNonNull(question), body);
    }

    /** The attachment of an answer can be read, and is the attachment that was drawn with it. */
    private void requireAttachment(BookedQuestion question, byte[] body) {
        if (!hasAttachment(question.entry().sequence())) {
            return;
        }
        byte[] content = attachmentOf(body);
        try {
            ledgerOn(store.lookedAtWithoutFailures()).attachment(question.queryId(), Sha256.of(content));
            count("attachments read");
        } catch (ProblemException refused) {
            throw new Violation(seed, step, refused.detail());
        }
    }

    private void sweep() {
        try {
            BudgetLedger ledger = instance();
            for (Reservation reservation : ledger.reservations("", 5)) {
                count("swept");
                settle(ledger, reservation.identity(), reservation.debit());
            }
            ledger.removeLeftovers();
        } catch (ProblemException | SimulatedStore.Crash lost) {
            count("sweep lost");
        }
    }

    private void moveLimit() {
        String name = "account-" + random.nextInt(ACCOUNTS);
        ModelAccount account = model(name);
        PrivacyAmount limit = limit(account.accountant, 1 + random.nextInt(100));
        moved(
                () -> instance().setLimit(name, limit, "carla"),
                units(account.accountant, limit),
                () -> account.limit = units(account.accountant, limitOf(name)),
                () -> most(account.spent));
    }

    private void moveAllotment() {
        String name = "account-" + random.nextInt(ACCOUNTS);
        String analyst = "analyst-" + random.nextInt(ANALYSTS);
        ModelAccount account = model(name);
        PrivacyAmount limit = limit(account.accountant, 1 + random.nextInt(40));
        moved(
                () -> instance().setAllotment(name, analyst, limit, "carla"),
                units(account.accountant, limit),
                () -> allotmentOf(name, analyst, account),
                () -> most(account.spentBy(analyst)));
    }

    /**
     * A custodian's new limit holds from then on, or is refused as below what is spent, or its outcome is unknown and
     * either may hold.
     */
    private void moved(Runnable change, BigInteger wanted, Supplier<BigInteger> standing, Supplier<BigInteger> spent) {
        String outcome = outcomeOf(change);
        count(outcome);
        BigInteger stands = standing.get();
        require(!outcome.equals("limits moved") || stands.equals(wanted), "a limit that was set does not stand");
        require(
                !outcome.equals("limits refused") || wanted.compareTo(spent.get()) < 0,
                "a limit was refused that is not below what is spent");
    }

    private static String outcomeOf(Runnable change) {
        try {
            change.run();
            return "limits moved";
        } catch (ProblemException refusal) {
            return refusal.type() == ProblemType.TEMPORARILY_UNAVAILABLE ? "limits unknown" : "limits refused";
        } catch (SimulatedStore.Crash crash) {
            return "limits unknown";
        }
    }

    private PrivacyAmount limitOf(String name) {
        try {
            return store.withoutFailures().account(name).orElseThrow().limit();
        } catch (SQLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private BigInteger allotmentOf(String name, String analyst, ModelAccount account) {
        try {
            store.withoutFailures()
                    .allotment(name, analyst)
                    .ifPresent(
                            allotment -> account.ceilings.put(analyst, units(account.accountant, allotment.limit())));
            return account.ceilings.getOrDefault(analyst, BigInteger.ZERO);
        } catch (SQLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Compares one account, read through the ledger's API, with the model. */
    private void audited() {
        String name = "account-" + random.nextInt(ACCOUNTS);
        try {
            Budget budget = instance().budget(name);
            ModelAccount account = model(name);
            require(
                    units(account.accountant, budget.spent()).equals(most(account.spent)),
                    "the ledger says " + budget.spent() + " is spent, the model " + most(account.spent));
            if (account.blocks != null) {
                BlockWindow window = Objects.requireNonNull(window(account));
                BlockBooks books = instance().blocks(name, "analyst-0", window);
                require(
                        units(account.accountant, books.spent(window)).equals(most(part(account.spent, window))),
                        "the ledger says another amount is spent of a window than the model");
            }
        } catch (ProblemException | SimulatedStore.Crash notNow) {
            count("budget unreadable");
        }
    }

    /** Checks all books, entry by entry. */
    private void audit() {
        accounts.forEach((name, account) -> {
            ChainVerification verification = Verification.of(store.lookedAtWithoutFailures(), name);
            require(verification.valid(), name + ": " + verification.fault());
            try {
                Account row = store.withoutFailures().account(name).orElseThrow();
                require(
                        units(account.accountant, row.spent()).equals(most(account.spent)),
                        name + " has lost or doubled a charge");
                require(most(account.spent).compareTo(account.limit) <= 0, name + " has spent more than its limit");
                auditBlocks(name, account);
            } catch (SQLException impossible) {
                throw new IllegalStateException(impossible);
            }
        });
        auditAttachments();
        count("audits");
    }

    /** The amounts spent of each block, by all and by each analyst with an allotment, are the sums of the charges. */
    private void auditBlocks(String name, ModelAccount account) throws SQLException {
        if (account.blocks == null) {
            return;
        }
        Map<String, BigInteger[]> found = new HashMap<>();
        store.withoutFailures()
                .spentBlocks(
                        name,
                        (holder, block, spent) -> found.computeIfAbsent(holder, none -> account.nothing())[block] =
                                units(account.accountant, spent));
        Map<String, BigInteger[]> expected = new HashMap<>();
        expected.put("", account.spent);
        account.ceilings.keySet().forEach(analyst -> expected.put(analyst, account.spentBy(analyst)));
        expected.forEach((holder, sums) -> require(
                Arrays.equals(found.getOrDefault(holder, account.nothing()), sums),
                name + " has lost or doubled a charge of a block"));
        count("audits of blocks");
    }

    /** Every attachment is in one series, and there is no piece that nobody reads and no open question owns. */
    private void auditAttachments() {
        while (!outcomeOf(() -> instance().removeLeftovers()).equals("limits moved")) {
            count("leftovers unknown");
        }
        Set<String> attached = new TreeSet<>();
        store.witnessedPieces().stream()
                .collect(Collectors.groupingBy(Attachments.Piece::queryId))
                .forEach((queryId, pieces) -> {
                    BookedQuestion question =
                            seen(books -> books.question(queryId)).orElseThrow();
                    byte[] body = question.answerBeginning();
                    if (body != null) {
                        int length = attachmentOf(body).length;
                        require(pieces.size() == Math.ceilDiv(length, PIECE_BYTES), "a piece is left over");
                        requireAttachment(question, body);
                        attached.add(queryId);
                    }
                });
        List<String> listed = new ArrayList<>();
        for (String account : accounts.keySet()) {
            seen(books -> books.attachments().firstOfSeries(account, Order.ASC, "", Integer.MAX_VALUE))
                    .forEach(first ->
                            listed.addAll(seen(books -> books.attachments().series(first))));
        }
        require(listed.stream().sorted().toList().equals(List.copyOf(attached)), "an attachment is in no series");
    }

    private void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new Violation(seed, step, otherwise);
        }
    }

    private void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /**
     * Simulates for a number of minutes, seed after seed, and prints what happened. Options: {@code minutes}, the first
     * {@code seed}.
     */
    public static void main(String[] arguments) {
        Options options = new Options(arguments, "minutes", "seed");
        long end = System.nanoTime() + (long) (options.decimal("minutes", 60) * 60e9);
        long seed = options.number("seed", 1);
        Map<String, Long> counts = new HashMap<>();
        Map<FaultPoint, Integer> fired = new EnumMap<>(FaultPoint.class);
        long first = seed;
        while (System.nanoTime() < end) {
            LedgerSimulation simulation = new LedgerSimulation(seed++, SimulatedStore.Bug.NONE);
            simulation.run(10_000).forEach((what, times) -> counts.merge(what, times, Long::sum));
            simulation.fired().forEach((point, times) -> fired.merge(point, times, Integer::sum));
        }
        System.out.printf(Locale.ROOT, "%,d steps, seeds %d to %d%n", (seed - first) * 10_000, first, seed - 1);
        System.out.println(counts);
        System.out.println(fired);
        if (fired.size() < FaultPoint.values().length) {
            throw new IllegalStateException("not every fault point fired");
        }
    }
}
