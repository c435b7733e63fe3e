package dev.purser.ledger;

import dev.purser.ledger.attachment.Attachments;
import dev.purser.ledger.attachment.OpenedAttachment;
import dev.purser.ledger.attachment.StoredAttachment;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Order;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The books in memory: a store that fails, by a seed, where a database can fail. Committed changes stay, whatever
 * happens to the process that committed them; others are undone. It has one thread; rivals run between two calls of a
 * port.
 */
final class SimulatedStore implements LedgerStore {
    /** The process that made the call is gone. Its callers get no reply. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Ways to be broken, to show that the simulation sees them. */
    enum Bug {
        NONE,
        /** Writes a step even if the account changed meanwhile. */
        UNCONDITIONAL_DEBIT,
        /** Finds no earlier question. */
        FORGETS_IDENTITIES,
        /** The last answer wins. */
        ANSWERS_TWICE,
        /** Says that a commit stands although it was lost. */
        LOSES_COMMITS,
        /** Finds no question of the same canonical form. */
        FORGETS_ALIKE,
        /** Finds no allotment. */
        FORGETS_ALLOTMENTS,
        /** Adds a charge to the first block of its window alone. */
        CHARGES_ONE_BLOCK,
        /** Looks at the last block of a window alone. */
        LOOKS_AT_ONE_BLOCK,
        /** Leaves what was added to blocks when a transaction is undone. */
        KEEPS_UNDONE_BLOCKS,
        /** Keeps pieces of attachments by question alone. */
        MIXES_ATTACHMENTS,
        /** Removes all pieces there are. */
        REMOVES_TOO_MUCH,
        /** Removes no pieces. */
        KEEPS_LEFTOVERS,
        /** Finds no refinement of an answer. */
        REFINES_TWICE
    }

    private final Random random;
    private final int oneIn;
    private final Bug bug;
    private final Map<FaultPoint, Integer> fired = new EnumMap<>(FaultPoint.class);
    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<String, Map<String, Allotment>> allotments = new HashMap<>();
    private final Map<Holder, TreeMap<Integer, PrivacyAmount>> ofBlocks = new HashMap<>();
    private final Map<String, List<LedgerEntry>> entries = new HashMap<>();
    private final Map<String, BookedQuestion> questions = new LinkedHashMap<>();
    private final Map<RequestIdentity, String> byIdentity = new HashMap<>();
    private final Map<RequestIdentity, BookedPlan> plans = new HashMap<>();
    private final Map<String, CanonicalForm> forms = new HashMap<>();
    private final Map<ByteBuffer, Set<String>> byForm = new HashMap<>();
    private final TreeMap<String, StoredPiece> pieces = new TreeMap<>();
    private final TreeMap<String, SettledAttachment> attachments = new TreeMap<>();
    private final TreeMap<String, Released> released = new TreeMap<>();
    private final TreeMap<String, Refines> refinements = new TreeMap<>();
    private Runnable rival = () -> {};
    private Runnable looked = () -> {};

    /** @param oneIn a fault point fires once in this many passes */
    SimulatedStore(Random random, int oneIn, Bug bug) {
        this.random = random;
        this.oneIn = oneIn;
        this.bug = bug;
    }

    /** The holder of sums of blocks: the account if the name is empty, otherwise an analyst. */
    private record Holder(String account, String name) {
        static Holder itself(String account) {
            return new Holder(account, "");
        }
    }

    private record StoredPiece(Attachments.Piece piece, byte[] sealed) {}

    private record SettledAttachment(String queryId, String datasetId, String series, Attachments.Draw draw) {}

    /** What another instance does in between. */
    void setRival(Runnable rival) {
        this.rival = rival;
    }

    /** Called at every look at an account's standing: the decision is made on the state at this moment. */
    Runnable setLooked(Runnable next) {
        Runnable before = looked;
        looked = next;
        return before;
    }

    Map<FaultPoint, Integer> fired() {
        return fired;
    }

    /** The plan that was bought under an identity, or null. */
    @Nullable
    BookedPlan bought(RequestIdentity identity) {
        return plans.get(identity);
    }

    /** The question that stands under this identity, read without failures. */
    @Nullable
    BookedQuestion witnessed(RequestIdentity identity) {
        String id = byIdentity.get(identity);
        return id == null ? null : questions.get(id);
    }

    /** All pieces of attachments that there are, whoever may read them. */
    List<Attachments.Piece> witnessedPieces() {
        return pieces.values().stream().map(StoredPiece::piece).toList();
    }

    private boolean fires(FaultPoint point) {
        if (random.nextInt(oneIn) != 0) {
            return false;
        }
        fired.merge(point, 1, Integer::sum);
        return true;
    }

    private void crashAt(FaultPoint point) {
        if (fires(point)) {
            throw new Crash();
        }
    }

    private static ProblemException unavailable() {
        return ProblemException.of(ProblemType.TEMPORARILY_UNAVAILABLE, "simulated");
    }

    @Override
    public <T extends @Nullable Object> T change(String account, Work<T> work) {
        crashAt(FaultPoint.CRASH_BEFORE_BEGIN);
        if (fires(FaultPoint.RUN_AGAIN)) {
            Transaction first = new Transaction(true);
            try {
                work.run(first);
            } catch (SQLException | ProblemException refused) {
                // The second run says what counts.
            } finally {
                first.undo();
            }
        }
        Transaction transaction = new Transaction(true);
        T value;
        try {
            value = work.run(transaction);
        } catch (SQLException failure) {
            transaction.undo();
            throw new IllegalStateException(failure);
        } catch (RuntimeException | Error failure) {
            transaction.undo();
            throw failure;
        }
        commit(transaction);
        return value;
    }

    private void commit(Transaction transaction) {
        if (fires(FaultPoint.REFUSED_FOR_WANT_OF_ROOM)) {
            transaction.undo();
            throw unavailable();
        }
        if (fires(FaultPoint.CRASH_BEFORE_COMMIT)) {
            transaction.undo();
            throw new Crash();
        }
        if (fires(FaultPoint.COMMIT_UNKNOWN_AND_LOST)) {
            transaction.undo();
            throw unavailable();
        }
        if (bug == Bug.LOSES_COMMITS && random.nextInt(oneIn) == 0) {
            transaction.undo();
            return;
        }
        if (fires(FaultPoint.COMMIT_UNKNOWN_BUT_MADE)) {
            throw unavailable();
        }
        crashAt(FaultPoint.CRASH_AFTER_COMMIT);
    }

    @Override
    public <T extends @Nullable Object> T look(Work<T> work) {
        if (fires(FaultPoint.READ_FAILS)) {
            throw unavailable();
        }
        try {
            return work.run(new Transaction(true));
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The books without failures, to check them. */
    Books withoutFailures() {
        return new Transaction(false);
    }

    /** The books without failures, to look at only. */
    LedgerStore lookedAtWithoutFailures() {
        return new LedgerStore() {
            @Override
            public <T extends @Nullable Object> T change(String account, Work<T> work) {
                throw new UnsupportedOperationException("only to be looked at");
            }

            @Override
            public <T extends @Nullable Object> T look(Work<T> work) {
                try {
                    return work.run(withoutFailures());
                } catch (SQLException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        };
    }

    private final class Transaction implements Books {
        private final Deque<Runnable> undoing = new ArrayDeque<>();
        private final boolean failing;

        Transaction(boolean failing) {
            this.failing = failing;
        }

        /** What was looked up, unless the process dies meanwhile. */
        private <T> T seen(T value) {
            if (failing) {
                crashAt(FaultPoint.CRASH_AFTER_LOOKING);
            }
            return value;
        }

        void undo() {
            while (!undoing.isEmpty()) {
                undoing.pop().run();
            }
        }

        private <K, V> void put(Map<K, V> map, K key, V value) {
            V before = map.put(key, value);
            undoing.push(() -> {
                if (before == null) {
                    map.remove(key);
                } else {
                    map.put(key, before);
                }
            });
        }

        @Override
        public Optional<AccountSnapshot> standing(
                String account, RequestIdentity identity, @Nullable BlockWindow blocks) {
            looked.run();
            Account row = accounts.get(account);
            if (row == null) {
                return Optional.empty();
            }
            BookedQuestion earlier = bug == Bug.FORGETS_IDENTITIES ? null : witnessed(identity);
            Allotment allotment = bug == Bug.FORGETS_ALLOTMENTS
                    ? null
                    : allotment(account, identity.principal()).orElse(null);
            return seen(Optional.of(new AccountSnapshot(
                    row, allotment, earlier, blocks == null ? null : blocks(row, allotment, blocks))));
        }

        @Override
        public BlockBooks blocks(Account account, @Nullable Allotment allotment, BlockWindow window) {
            BlockWindow read = bug == Bug.LOOKS_AT_ONE_BLOCK ? BlockWindow.of(window.last()) : window;
            Holder asker = new Holder(account.account(), allotment == null ? "" : allotment.analyst());
            return new BlockBooks(
                    account.limit(),
                    sums(account, Holder.itself(account.account()), read),
                    allotment == null ? null : allotment.limit(),
                    allotment == null ? new BlockSums(count(account)) : sums(account, asker, read));
        }

        private BlockSums sums(Account account, Holder holder, BlockWindow window) {
            BlockSums sums = new BlockSums(count(account));
            ofBlocks.getOrDefault(holder, new TreeMap<>())
                    .subMap(window.first(), window.last() + 1)
                    .forEach((block, spent) -> sums.add(BlockWindow.of(block), spent));
            return sums;
        }

        /** An account without blocks is one block. */
        private static int count(Account account) {
            return account.blocks() == null ? 1 : account.blocks().count();
        }

        /** What an analyst was charged, by the entries. */
        private BlockSums charges(Account account, String analyst) {
            BlockSums sums = new BlockSums(count(account));
            entries.getOrDefault(account.account(), List.of()).stream()
                    .filter(entry -> entry.type() == LedgerEntry.Type.CHARGE)
                    .filter(entry -> entry.analyst().equals(analyst))
                    .forEach(entry ->
                            sums.add(Objects.requireNonNullElse(entry.window(), BlockWindow.of(0)), entry.charge()));
            return sums;
        }

        /** When an allotment is first set, it begins with the charges before it. */
        private void spendOfBlocks(Account account, LedgerEntry entry) {
            Allotment allotment = entry.allotmentAfter();
            if (entry.window() != null) {
                spend(Holder.itself(account.account()), entry.window(), entry.charge());
                if (allotment != null) {
                    spend(new Holder(account.account(), allotment.analyst()), entry.window(), entry.charge());
                }
            } else if (account.blocks() != null && allotment != null) {
                Holder holder = new Holder(account.account(), allotment.analyst());
                if (!ofBlocks.containsKey(holder)) {
                    BlockSums before = charges(account, allotment.analyst());
                    IntStream.range(0, account.blocks().count())
                            .filter(block -> !before.of(block).equals(PrivacyAmount.ZERO))
                            .forEach(block -> spend(holder, BlockWindow.of(block), before.of(block)));
                }
            }
        }

        private void spend(Holder holder, BlockWindow window, PrivacyAmount charge) {
            TreeMap<Integer, PrivacyAmount> sums = ofBlocks.get(holder);
            if (sums == null) {
                sums = new TreeMap<>();
                put(ofBlocks, holder, sums);
            }
            int last = bug == Bug.CHARGES_ONE_BLOCK ? window.first() : window.last();
            for (int block = window.first(); block <= last; block++) {
                PrivacyAmount after =
                        sums.getOrDefault(block, PrivacyAmount.ZERO).plus(charge);
                if (bug == Bug.KEEPS_UNDONE_BLOCKS) {
                    sums.put(block, after);
                } else {
                    put(sums, block, after);
                }
            }
        }

        @Override
        public void spentBlocks(String account, BlockVisitor visitor) throws SQLException {
            for (Map.Entry<Holder, TreeMap<Integer, PrivacyAmount>> each : ofBlocks.entrySet()) {
                if (each.getKey().account().equals(account)) {
                    for (Map.Entry<Integer, PrivacyAmount> spent :
                            each.getValue().entrySet()) {
                        visitor.visit(each.getKey().name(), spent.getKey(), spent.getValue());
                    }
                }
            }
        }

        @Override
        public Optional<BookedPlan> plan(RequestIdentity identity) {
            looked.run();
            return seen(Optional.ofNullable(bug == Bug.FORGETS_IDENTITIES ? null : plans.get(identity)));
        }

        @Override
        public void add(BookedPlan plan) throws SQLException {
            crashAt(FaultPoint.CRASH_BEFORE_APPEND);
            if (bug == Bug.NONE && plans.containsKey(plan.identity())) {
                throw new SQLException("unique");
            }
            put(plans, plan.identity(), plan);
        }

        @Override
        public Optional<Account> account(String account) {
            return seen(Optional.ofNullable(accounts.get(account)));
        }

        @Override
        public Map<String, Budget> budgets(Set<String> names, String analyst) {
            return seen(names.stream()
                    .filter(accounts::containsKey)
                    .collect(Collectors.toMap(
                            name -> name,
                            name -> Objects.requireNonNull(accounts.get(name))
                                    .budget(allotment(name, analyst).stream().toList()))));
        }

        @Override
        public List<Allotment> allotments(String account) {
            return seen(List.copyOf(allotments.getOrDefault(account, Map.of()).values()));
        }

        @Override
        public Optional<Allotment> allotment(String account, String analyst) {
            return seen(Optional.ofNullable(
                    allotments.getOrDefault(account, Map.of()).get(analyst)));
        }

        @Override
        public Optional<Allotment> allotmentBefore(String account, String analyst, long sequence) {
            throw new UnsupportedOperationException("a list shows it, and nothing is decided by it");
        }

        @Override
        public PrivacyAmount charged(Account account, String analyst) {
            return seen(charges(account, analyst).most());
        }

        @Override
        public Optional<BookedQuestion> question(String queryId) {
            return seen(Optional.ofNullable(questions.get(queryId)));
        }

        @Override
        public Optional<BookedQuestion> alike(String datasetId, CanonicalForm form, Instant since) {
            List<BookedQuestion> alike = byForm.getOrDefault(ByteBuffer.wrap(form.digest()), Set.of()).stream()
                    .filter(queryId -> bug != Bug.FORGETS_ALIKE)
                    .map(queryId -> Objects.requireNonNull(questions.get(queryId)))
                    .filter(question -> question.datasetId().equals(datasetId))
                    .filter(question -> !question.entry().at().isBefore(since))
                    .toList();
            return seen(alike.stream()
                    .filter(question -> question.answerBeginning() != null)
                    .max(Comparator.comparing(BookedQuestion::queryId))
                    .or(() -> alike.stream().max(Comparator.comparing(BookedQuestion::queryId))));
        }

        @Override
        public void describe(BookedQuestion question, CanonicalForm form) {
            put(forms, question.queryId(), form);
            Set<String> alike = byForm.computeIfAbsent(ByteBuffer.wrap(form.digest()), none -> new HashSet<>());
            alike.add(question.queryId());
            undoing.push(() -> alike.remove(question.queryId()));
        }

        @Override
        public List<AskedQuestion> questions(QuestionFilter filter, long after, int limit) {
            return asked(filter)
                    .filter(question -> question.sequence() > after)
                    .limit(limit)
                    .toList();
        }

        @Override
        public List<AskedQuestion> questionsBefore(QuestionFilter filter, long before, int limit) {
            List<AskedQuestion> all = asked(filter)
                    .filter(question -> question.sequence() < before)
                    .toList();
            return all.reversed().stream().limit(limit).toList();
        }

        @Override
        public List<AskedQuestion> answers(AnswerFilter filter, Order order, long cursor, int limit) {
            throw new UnsupportedOperationException("the simulation lists own questions only");
        }

        private Stream<AskedQuestion> asked(QuestionFilter filter) {
            return questions.values().stream()
                    .filter(question -> question.datasetId().equals(filter.datasetId()))
                    .filter(question -> question.identity().principal().equals(filter.principal()))
                    .filter(question -> filter.column() == null
                            || Objects.requireNonNull(forms.get(question.queryId()))
                                    .columns()
                                    .contains(filter.column()))
                    .map(question -> question.asked(question.answerBeginning() != null, false, null))
                    .filter(question -> filter.kind() == null || filter.kind().equals(question.kind()))
                    .filter(question -> question.at().toEpochMilli() >= filter.fromMillis())
                    .filter(question -> question.at().toEpochMilli() < filter.toMillis());
        }

        @Override
        public List<Reservation> reservations(String afterQueryId, int limit) {
            return seen(questions.values().stream()
                    .filter(question -> question.answerBeginning() == null)
                    .filter(question -> question.queryId().compareTo(afterQueryId) > 0)
                    .limit(limit)
                    .map(question -> new Reservation(question, false))
                    .toList());
        }

        @Override
        public void entries(String account, long after, long limit, EntryVisitor visitor) throws SQLException {
            List<LedgerEntry> all = entries.getOrDefault(account, List.of());
            for (int i = (int) after; i < all.size() && i - after < limit; i++) {
                visitor.visit(all.get(i));
            }
        }

        @Override
        public List<LedgerEntry> entriesBefore(String account, long before, int limit) {
            List<LedgerEntry> all = entries.getOrDefault(account, List.of());
            return all.subList(0, (int) Math.min(all.size(), before - 1)).reversed().stream()
                    .limit(limit)
                    .toList();
        }

        @Override
        public void bookings(String account, long after, long upTo, BookingVisitor visitor) throws SQLException {
            for (LedgerEntry entry : entries.getOrDefault(account, List.of())) {
                if (entry.sequence() > after && entry.sequence() <= upTo) {
                    BookedQuestion question = questions.get(String.valueOf(entry.queryId()));
                    visitor.visit(
                            entry,
                            entry.type() != LedgerEntry.Type.CHARGE
                                    || question != null && question.isTheOneItsEntryPaidFor());
                }
            }
        }

        @Override
        public long lastSequence(String account) {
            return entries.getOrDefault(account, List.of()).size();
        }

        @Override
        public long questions(String account) {
            return questions.values().stream()
                    .filter(question -> question.account().equals(account))
                    .count();
        }

        @Override
        public boolean append(Step step) throws SQLException {
            // A transaction that has written holds a lock.
            if (undoing.isEmpty() && fires(FaultPoint.RIVAL_BEFORE_APPEND)) {
                rival.run();
            }
            crashAt(FaultPoint.CRASH_BEFORE_APPEND);
            String name = step.after().account();
            Account before = step.before();
            if (before == null && accounts.containsKey(name)) {
                throw new SQLException("unique");
            }
            if (before != null && bug != Bug.UNCONDITIONAL_DEBIT && !before.equals(accounts.get(name))) {
                return false;
            }
            BookedQuestion question = step.question();
            if (question != null && bug == Bug.NONE && byIdentity.containsKey(question.identity())) {
                throw new SQLException("unique");
            }
            put(accounts, name, step.after());
            spendOfBlocks(step.after(), step.entry());
            if (step.entry().allotmentAfter() != null) {
                put(
                        allotments.computeIfAbsent(name, missing -> new TreeMap<>()),
                        step.entry().allotmentAfter().analyst(),
                        step.entry().allotmentAfter());
            }
            List<LedgerEntry> all = entries.computeIfAbsent(name, missing -> new ArrayList<>());
            all.add(step.entry());
            undoing.push(all::removeLast);
            if (question != null) {
                put(questions, question.queryId(), question);
                put(byIdentity, question.identity(), question.queryId());
            }
            return true;
        }

        @Override
        public Optional<BookedQuestion> answer(
                String queryId, byte[] body, @Nullable StoredAttachment attached, @Nullable Released made)
                throws SQLException {
            if (undoing.isEmpty() && fires(FaultPoint.RIVAL_BEFORE_ANSWER)) {
                rival.run();
            }
            crashAt(FaultPoint.CRASH_BEFORE_ANSWER);
            BookedQuestion question = questions.get(queryId);
            if (question == null || question.answerBeginning() != null && bug != Bug.ANSWERS_TWICE) {
                return Optional.ofNullable(question);
            }
            put(
                    questions,
                    queryId,
                    new BookedQuestion(
                            queryId,
                            question.account(),
                            question.datasetId(),
                            question.identity(),
                            question.requestDigest(),
                            question.entry(),
                            null,
                            body.clone(),
                            null));
            if (attached != null) {
                attachments().settle(question.datasetId(), attached);
            }
            if (made != null) {
                refinements().keep(question, made);
            }
            return Optional.ofNullable(questions.get(queryId));
        }

        @Override
        public SimulatedAttachments attachments() {
            return new SimulatedAttachments(this);
        }

        @Override
        public SimulatedRefinements refinements() {
            return new SimulatedRefinements(this);
        }

        @Override
        public Optional<byte[]> answerPiece(String queryId, int number) {
            throw new UnsupportedOperationException("an answer of the simulation is short");
        }
    }

    private final class SimulatedRefinements implements Refinements {
        private final Transaction transaction;

        SimulatedRefinements(Transaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public Optional<Released> released(String queryId) {
            return Optional.ofNullable(released.get(queryId));
        }

        @Override
        public void keep(BookedQuestion question, Released made) {
            transaction.put(released, question.queryId(), made);
        }

        @Override
        public Optional<Refines> refinedBy(String queryId) {
            return bug == Bug.REFINES_TWICE ? Optional.empty() : Optional.ofNullable(refinements.get(queryId));
        }

        @Override
        public Optional<String> refinedIn(String queryId) {
            return refinements.entrySet().stream()
                    .filter(each -> each.getValue().queryId().equals(queryId))
                    .map(Map.Entry::getKey)
                    .findFirst();
        }

        @Override
        public void add(BookedQuestion question, Refines refines) throws SQLException {
            if (bug == Bug.NONE && refinements.containsKey(refines.queryId())) {
                throw new SQLException("unique");
            }
            transaction.put(refinements, refines.queryId(), new Refines(question.queryId(), refines.epsilon()));
        }

        @Override
        public Optional<Refines> below(String datasetId, byte[] series, Epsilon epsilon) {
            throw new UnsupportedOperationException("the simulation has no quotes");
        }
    }

    private final class SimulatedAttachments implements Attachments {
        private final Transaction transaction;

        SimulatedAttachments(Transaction transaction) {
            this.transaction = transaction;
        }

        private String keyOf(String queryId, byte[] draw) {
            return queryId
                    + (bug == Bug.MIXES_ATTACHMENTS ? " " : HexFormat.of().formatHex(draw));
        }

        private String keyOf(Piece piece) {
            return keyOf(piece.queryId(), piece.draw()) + piece.number();
        }

        private Collection<StoredPiece> of(String queryId, byte[] draw) {
            String key = keyOf(queryId, draw);
            return pieces.subMap(key, key + Character.MAX_VALUE).values();
        }

        @Override
        public void add(Piece piece, byte[] sealed) throws SQLException {
            if (transaction.undoing.isEmpty() && fires(FaultPoint.RIVAL_BEFORE_PIECE)) {
                rival.run();
            }
            if (bug == Bug.NONE && pieces.containsKey(keyOf(piece))) {
                throw new SQLException("unique");
            }
            transaction.put(pieces, keyOf(piece), new StoredPiece(piece, sealed));
        }

        @Override
        public Optional<Draw> settled(String queryId) {
            return Optional.ofNullable(attachments.get(queryId)).map(SettledAttachment::draw);
        }

        @Override
        public long length(String queryId, byte[] draw) {
            return of(queryId, draw).stream()
                    .mapToLong(piece -> piece.sealed().length)
                    .sum();
        }

        @Override
        public Optional<byte[]> sealed(Piece piece) {
            return Optional.ofNullable(pieces.get(keyOf(piece))).map(StoredPiece::sealed);
        }

        @Override
        public void settle(String datasetId, StoredAttachment attached) {
            OpenedAttachment opened = OpenedAttachment.of(attached);
            if (of(attached.queryId(), opened.draw().id()).size() != opened.pieces()) {
                throw new IllegalStateException("an attachment is not whole");
            }
            transaction.put(
                    attachments,
                    attached.queryId(),
                    new SettledAttachment(attached.queryId(), datasetId, opened.series(), opened.draw()));
        }

        private boolean isLeftover(Piece piece) {
            SettledAttachment settled = attachments.get(piece.queryId());
            return bug == Bug.REMOVES_TOO_MUCH
                    || Objects.requireNonNull(questions.get(piece.queryId())).answerBeginning() != null
                            && (settled == null || !Arrays.equals(settled.draw().id(), piece.draw()));
        }

        @Override
        public List<Piece> leftovers(int limit) {
            return transaction.seen(pieces.values().stream()
                    .map(StoredPiece::piece)
                    .filter(piece -> bug != Bug.KEEPS_LEFTOVERS && isLeftover(piece))
                    .limit(limit)
                    .toList());
        }

        @Override
        public void remove(Piece leftover) {
            StoredPiece removed = isLeftover(leftover) ? pieces.remove(keyOf(leftover)) : null;
            if (removed != null) {
                transaction.undoing.push(() -> pieces.put(keyOf(leftover), removed));
            }
        }

        @Override
        public List<String> series(String first) {
            return attachments.values().stream()
                    .filter(attachment -> attachment.series().equals(first))
                    .map(SettledAttachment::queryId)
                    .toList();
        }

        @Override
        public List<String> firstOfSeries(String datasetId, Order order, String afterQueryId, int limit) {
            return order.following(attachments.navigableKeySet(), afterQueryId).stream()
                    .map(attachments::get)
                    .filter(attachment -> attachment.datasetId().equals(datasetId))
                    .filter(attachment -> attachment.series().equals(attachment.queryId()))
                    .map(SettledAttachment::queryId)
                    .limit(limit)
                    .toList();
        }
    }
}
