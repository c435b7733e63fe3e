package dev.purser.ledger;

import dev.purser.journal.Chain;
import dev.purser.journal.ChangedRow;
import dev.purser.journal.Head;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.ledger.JournaledQuestions.Form;
import dev.purser.ledger.attachment.Attachments;
import dev.purser.ledger.attachment.StoredAttachment;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

import static dev.purser.ledger.JournaledQuestions.FORMS;
import static dev.purser.ledger.JournaledQuestions.PLANS;

/** The ledger's SQL statements. They load and write rows and decide nothing. */
final class SqlBooks implements Books {
    /** Frequent statements read columns by position. Reading by name is several times slower. */
    private static final String ACCOUNT_COLUMNS = """
            a.account, a.accountant, a.limit_epsilon_nanos, a.limit_delta_attos, a.limit_rho_picos,
            a.spent_epsilon_nanos, a.spent_delta_attos, a.spent_rho_picos, a.head_sequence, a.head_hash, a.blocks
            """;

    private static final String ALLOTMENT_COLUMNS = """
            t.analyst, t.limit_epsilon_nanos, t.limit_delta_attos, t.limit_rho_picos,
            t.spent_epsilon_nanos, t.spent_delta_attos, t.spent_rho_picos
            """;

    static final String STANDING = "SELECT " + ACCOUNT_COLUMNS + ", " + ALLOTMENT_COLUMNS + """
                , q.query_id
            FROM account a
                LEFT JOIN allotment t ON t.account = a.account AND t.analyst = ?
                LEFT JOIN question q ON q.principal = ? AND q.operation = ? AND q.idempotency_key = ?
            WHERE a.account = ?
            """;

    private static final String ACCOUNT = "SELECT " + ACCOUNT_COLUMNS + "FROM account a WHERE a.account = ?";

    private static final String BUDGETS = "SELECT " + ACCOUNT_COLUMNS + ", " + ALLOTMENT_COLUMNS + """
            FROM account a LEFT JOIN allotment t ON t.account = a.account AND t.analyst = ?
            WHERE a.account IN (%s)
            """;

    private static final String ALLOTMENTS = "SELECT " + ALLOTMENT_COLUMNS + "FROM allotment t WHERE t.account = ?";

    /** The first columns of every statement that reads entries. */
    private static final String ENTRY_COLUMNS = """
            e.sequence, e.at_millis, e.type, e.analyst, e.query_id, e.kind, e.request_hash,
            e.charge_epsilon_nanos, e.charge_delta_attos, e.charge_rho_picos,
            e.limit_after_epsilon_nanos, e.limit_after_delta_attos, e.limit_after_rho_picos,
            e.spent_after_epsilon_nanos, e.spent_after_delta_attos, e.spent_after_rho_picos, e.allotted_analyst,
            e.allotted_limit_epsilon_nanos, e.allotted_limit_delta_attos, e.allotted_limit_rho_picos,
            e.allotted_spent_epsilon_nanos, e.allotted_spent_delta_attos, e.allotted_spent_rho_picos,
            e.previous_hash, e.hash, e.blocks, e.first_block, e.last_block,
            e.window_after_epsilon_nanos, e.window_after_delta_attos, e.window_after_rho_picos,
            e.allotted_after_epsilon_nanos, e.allotted_after_delta_attos, e.allotted_after_rho_picos
            """;

    private static final String ENTRIES = "SELECT " + ENTRY_COLUMNS + "FROM entry e WHERE e.account = ?";

    private static final String ENTRIES_AFTER = ENTRIES + " AND e.sequence > ? ORDER BY e.sequence LIMIT ?";

    private static final String ENTRIES_BEFORE = ENTRIES + " AND e.sequence < ? ORDER BY e.sequence DESC LIMIT ?";

    /**
     * The entry that an account names as its last entry, the last entry of an analyst's allotment, and an entry that
     * was charged for the same request.
     */
    static final String LAST_ENTRIES = ENTRIES + """
             AND (e.sequence = ?
                OR e.sequence = (
                    SELECT max(a.sequence) FROM entry a WHERE a.account = e.account AND a.allotted_analyst = ?)
                OR e.sequence = (
                    SELECT max(r.sequence) FROM entry r
                    WHERE r.account = e.account AND r.analyst = ? AND r.request_hash = ?))
            """;

    private static final String ALLOTTED_BEFORE = ENTRIES + """
             AND e.sequence = (
                SELECT max(a.sequence) FROM entry a
                WHERE a.account = e.account AND a.allotted_analyst = ? AND a.sequence < ?)
            """;

    /** Bodies can be large. Lists read no answers. Only the list of reservations reads requests. */
    private static final String QUESTION_COLUMNS = ENTRY_COLUMNS + """
            , q.query_id AS id, q.account, q.dataset_id, q.principal, q.operation, q.idempotency_key,
            q.request_digest, %s
            """;

    private static final String ITS_ENTRY = "entry e ON e.account = q.account AND e.sequence = q.sequence ";

    private static final String QUESTION = "SELECT " + QUESTION_COLUMNS + "FROM question q JOIN " + ITS_ENTRY;

    /** This is read from the rows alone. The rows are compared with the journal when the answer is refined. */
    private static final String UNREAD = """
            NULL AS request, NULL AS beginning, 0 AS length, NULL AS digests,
            (SELECT f.query_id FROM refinement f WHERE f.refined = q.query_id) AS refined_by,
            EXISTS (SELECT 1 FROM released_integers r WHERE r.query_id = q.query_id AND length(r.content) > 0)
                AS is_kept
            """;

    private static final String QUESTION_BY_ID = Journal.lookup(
            QUESTION_COLUMNS.formatted("NULL AS request, q.body AS beginning, l.length, l.digests"),
            "question q ON q.query_id = ? LEFT JOIN " + ITS_ENTRY
                    + "LEFT JOIN long_answer l ON l.query_id = q.query_id");

    private static final String ALIKE = FORMS.select("""
            JOIN question q ON q.query_id = r.query_id
                JOIN entry e ON e.account = q.account AND e.sequence = q.sequence
            WHERE r.dataset_id = ? AND r.digest = ? AND q.body IS %s AND e.at_millis >= ?
            ORDER BY r.query_id DESC LIMIT 1
            """);

    private static final String ALIKE_ANSWERED = ALIKE.formatted("NOT NULL");

    private static final String ALIKE_RESERVED = ALIKE.formatted("NULL");

    private static final String ANSWER =
            "UPDATE question SET body = ?, request = NULL WHERE query_id = ? AND body IS NULL";

    static final String ANSWER_PIECE = "SELECT content FROM answer_piece WHERE query_id = ? AND piece = ?";

    private static final String BOOKINGS = "SELECT " + ENTRY_COLUMNS + """
                , q.query_id = e.query_id AND q.principal = e.analyst, q.dataset_id, q.operation, q.idempotency_key,
                q.request_digest
            FROM entry e LEFT JOIN question q ON q.account = e.account AND q.sequence = e.sequence
            WHERE e.account = ? AND e.sequence > ? AND e.sequence <= ? ORDER BY e.sequence
            """;

    private static final String QUESTIONS_OF_PRINCIPAL =
            QUESTION.formatted(UNREAD + ", (q.body IS NOT NULL AND q.body <> ?) AS answered")
                    + "WHERE q.dataset_id = ? AND q.principal = ? AND e.kind = coalesce(?, e.kind)"
                    + " AND NOT EXISTS (SELECT 1 FROM canonical_question c WHERE c.query_id = q.query_id"
                    + " AND replace(c.column_names, ?, '') = c.column_names)"
                    + " AND e.at_millis >= ? AND e.at_millis < ?";

    private static final String QUESTIONS_AFTER =
            QUESTIONS_OF_PRINCIPAL + " AND q.sequence > ? ORDER BY q.sequence LIMIT ?";

    private static final String QUESTIONS_BEFORE =
            QUESTIONS_OF_PRINCIPAL + " AND q.sequence < ? ORDER BY q.sequence DESC LIMIT ?";

    /** The questions of all principals. A question has a canonical form, and a session has none. */
    private static final String ANSWERS = QUESTION.formatted(UNREAD)
            + "WHERE q.account = ? AND q.dataset_id = ? AND q.body IS NOT NULL AND q.body <> ?"
            + " AND e.kind = coalesce(?, e.kind)"
            + " AND EXISTS (SELECT 1 FROM canonical_question c WHERE c.query_id = q.query_id"
            + " AND replace(c.column_names, ?, '') <> c.column_names)"
            + " AND q.sequence %s ? ORDER BY q.sequence %s LIMIT ?";

    private static final String RESERVED =
            QUESTION.formatted("q.request, NULL AS beginning, 0 AS length, NULL AS digests")
                    + "WHERE q.body IS NULL AND q.query_id > ? ORDER BY q.query_id LIMIT ?";

    static final String INSERT_ENTRY =
            "INSERT INTO entry VALUES (" + String.join(", ", Collections.nCopies(35, "?")) + ")";

    static final String INSERT_QUESTION = "INSERT INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final List<@Nullable Object> NO_AMOUNT = Arrays.asList(null, null, null);

    /** Checks the decision against the row again, in the statement that writes. The subtraction cannot overflow. */
    static final String MOVE = """
            UPDATE account
            SET limit_epsilon_nanos = ?, limit_delta_attos = ?, limit_rho_picos = ?,
                spent_epsilon_nanos = spent_epsilon_nanos + ?, spent_delta_attos = spent_delta_attos + ?,
                spent_rho_picos = spent_rho_picos + ?, head_sequence = ?, head_hash = ?
            WHERE account = ? AND head_sequence = ? AND head_hash = ?
                AND spent_epsilon_nanos = ? AND spent_delta_attos = ? AND spent_rho_picos = ?
                AND ? <= ? - spent_epsilon_nanos AND ? <= ? - spent_delta_attos AND ? <= ? - spent_rho_picos
            """;

    private static final String SPENT_BLOCKS =
            "SELECT holder, block, epsilon_nanos, delta_attos, rho_picos FROM block_spent WHERE account = ?";

    private static final String SPENT_OF_WINDOW = SPENT_BLOCKS + " AND holder IN ('', ?) AND block BETWEEN ? AND ?";

    /** A block has a row from its first charge on. */
    private static final String SPEND_OF_BLOCKS = """
            WITH RECURSIVE charged (block) AS (
                SELECT CAST(? AS INTEGER) UNION ALL SELECT block + 1 FROM charged WHERE block < ?)
            INSERT INTO block_spent SELECT ?, ?, block, ?, ?, ? FROM charged WHERE 1 = 1
            ON CONFLICT (account, holder, block) DO UPDATE SET
                epsilon_nanos = block_spent.epsilon_nanos + excluded.epsilon_nanos,
                delta_attos = block_spent.delta_attos + excluded.delta_attos,
                rho_picos = block_spent.rho_picos + excluded.rho_picos
            """;

    /** The charges of an analyst, added up by window. */
    private static final String CHARGED_BY_WINDOW = """
            SELECT coalesce(first_block, 0), coalesce(last_block, 0),
                sum(charge_epsilon_nanos), sum(charge_delta_attos), sum(charge_rho_picos)
            FROM entry WHERE account = ? AND analyst = ? AND type = 'charge' GROUP BY first_block, last_block
            """;

    /** The holder of what is spent of an account's blocks. */
    private static final String ACCOUNT_ITSELF = "";

    private static final String LINE_FEED = "\n";

    private final StoreConnection connection;
    private final Journal journal;

    SqlBooks(StoreConnection connection) {
        this.connection = connection;
        this.journal = new Journal(connection);
    }

    @Override
    public Optional<AccountSnapshot> standing(String account, RequestIdentity identity, @Nullable BlockWindow blocks)
            throws SQLException {
        record Found(
                Account account,
                @Nullable Allotment allotment,
                @Nullable String queryId) {}
        Optional<Found> found = connection.first(
                STANDING,
                row -> new Found(account(row), allotmentOrNull(row, 12), row.getString(19)),
                identity.principal(),
                identity.principal(),
                identity.operation(),
                identity.idempotencyKey(),
                account);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Found standing = found.orElseThrow();
        BookedQuestion earlier =
                standing.queryId() == null ? null : question(standing.queryId()).orElseThrow();
        return Optional.of(new AccountSnapshot(
                standing.account(),
                standing.allotment(),
                earlier,
                blocks == null || standing.account().blocks() == null
                        ? null
                        : blocks(standing.account(), standing.allotment(), blocks)));
    }

    @Override
    public BlockBooks blocks(Account account, @Nullable Allotment allotment, BlockWindow window) throws SQLException {
        int count = Objects.requireNonNull(account.blocks()).count();
        BlockSums spent = new BlockSums(count);
        BlockSums spentOfAllotment = new BlockSums(count);
        connection.each(
                SPENT_OF_WINDOW,
                row -> (row.getString(1).equals(ACCOUNT_ITSELF) ? spent : spentOfAllotment)
                        .add(BlockWindow.of(row.getInt(2)), amount(row, 3)),
                account.account(),
                allotment == null ? ACCOUNT_ITSELF : allotment.analyst(),
                window.first(),
                window.last());
        return new BlockBooks(account.limit(), spent, allotment == null ? null : allotment.limit(), spentOfAllotment);
    }

    @Override
    public void spentBlocks(String account, BlockVisitor visitor) throws SQLException {
        connection.each(
                SPENT_BLOCKS + " ORDER BY holder, block",
                row -> visitor.visit(row.getString(1), row.getInt(2), amount(row, 3)),
                account);
    }

    @Override
    public Optional<BookedPlan> plan(RequestIdentity identity) throws SQLException {
        return PLANS.find(connection, identity.principal(), identity.operation(), identity.idempotencyKey());
    }

    @Override
    public void add(BookedPlan plan) throws SQLException {
        PLANS.insert(connection, Chain.ofAccount(plan.account()), plan);
    }

    /** The names of all accounts. */
    List<String> accounts() throws SQLException {
        return connection.all("SELECT account FROM account ORDER BY account", row -> row.getString(1));
    }

    @Override
    public Optional<Account> account(String account) throws SQLException {
        return connection.first(ACCOUNT, SqlBooks::account, account);
    }

    /** Statements are kept, so there are only lists whose length is a power of two. The last name fills up a list. */
    @Override
    public Map<String, Budget> budgets(Set<String> accounts, String analyst) throws SQLException {
        if (accounts.isEmpty()) {
            return Map.of();
        }
        List<String> values = new ArrayList<>(accounts);
        int size = Integer.highestOneBit(2 * values.size() - 1);
        values.addAll(Collections.nCopies(size - values.size(), values.getLast()));
        values.addFirst(analyst);
        Map<String, Budget> found = HashMap.newHashMap(size);
        connection.each(
                BUDGETS.formatted(String.join(", ", Collections.nCopies(size, "?"))),
                row -> {
                    Account account = account(row);
                    Allotment allotment = allotmentOrNull(row, 12);
                    found.put(account.account(), account.budget(allotment == null ? List.of() : List.of(allotment)));
                },
                values.toArray());
        return found;
    }

    private static Account account(ResultSet row) throws SQLException {
        return new Account(
                row.getString(1),
                Account.accountantNamed(row.getString(2)),
                amount(row, 3),
                amount(row, 6),
                row.getLong(9),
                row.getString(10),
                blocksOrNull(row.getString(11)));
    }

    private static @Nullable Blocks blocksOrNull(@Nullable String text) {
        return text == null ? null : Blocks.parse(text);
    }

    @Override
    public List<Allotment> allotments(String account) throws SQLException {
        return connection.all(ALLOTMENTS + " ORDER BY t.analyst", row -> allotment(row, 1), account);
    }

    @Override
    public Optional<Allotment> allotment(String account, String analyst) throws SQLException {
        return connection.first(ALLOTMENTS + " AND t.analyst = ?", row -> allotment(row, 1), account, analyst);
    }

    @Override
    public Optional<Allotment> allotmentBefore(String account, String analyst, long sequence) throws SQLException {
        return connection
                .first(ALLOTTED_BEFORE, SqlBooks::entry, account, analyst, sequence)
                .map(LedgerEntry::allotmentAfter);
    }

    private static Allotment allotment(ResultSet row, int first) throws SQLException {
        return new Allotment(row.getString(first), amount(row, first + 1), amount(row, first + 4));
    }

    private static @Nullable Allotment allotmentOrNull(ResultSet row, int first) throws SQLException {
        return row.getString(first) == null ? null : allotment(row, first);
    }

    @Override
    public PrivacyAmount charged(Account account, String analyst) throws SQLException {
        return chargedByBlock(account, analyst).most();
    }

    /** The charges of an analyst by block. An account without blocks counts as one block. */
    private BlockSums chargedByBlock(Account account, String analyst) throws SQLException {
        BlockSums sums =
                new BlockSums(account.blocks() == null ? 1 : account.blocks().count());
        connection.each(
                CHARGED_BY_WINDOW,
                row -> sums.add(new BlockWindow(row.getInt(1), row.getInt(2)), amount(row, 3)),
                account.account(),
                analyst);
        return sums;
    }

    @Override
    public boolean append(Step step) throws SQLException {
        LedgerEntry entry = step.entry();
        if (step.before() == null) {
            insert(step.after());
        } else {
            requireNotRewritten(step.before());
            if (!move(step.before(), entry)) {
                return false;
            }
            requireAsEntered(step.before(), entry);
        }
        if (entry.allotmentAfter() != null) {
            put(step.after().account(), entry.allotmentAfter());
        }
        if (step.after().blocks() != null) {
            spendOfBlocks(step.after(), entry);
        }
        insert(step.after().account(), entry);
        if (step.before() != null && step.after().blocks() != null) {
            BlockChains.of(connection).require(this, step.before(), entry);
        }
        if (step.question() != null) {
            insert(step.question());
        }
        connection.noteHead(step.after().account(), new Head(entry.sequence(), entry.hash()).text());
        return true;
    }

    /**
     * Adds a charge to the blocks of its window, and to the asker's allotment in these blocks. A new allotment begins
     * with the analyst's earlier charges.
     */
    private void spendOfBlocks(Account account, LedgerEntry entry) throws SQLException {
        Allotment allotment = entry.allotmentAfter();
        if (entry.charged() != null) {
            spend(account, ACCOUNT_ITSELF, entry.charged().blocks(), entry.charge());
            if (allotment != null) {
                spend(account, allotment.analyst(), entry.charged().blocks(), entry.charge());
            }
        } else if (allotment != null && !hasBlocks(account, allotment.analyst())) {
            BlockWindow all = Objects.requireNonNull(account.blocks()).all();
            BlockSums before = chargedByBlock(account, allotment.analyst());
            for (BlockRun run : new BlockBooks(account.limit(), before, null, before).runs(all)) {
                if (!run.spent().equals(PrivacyAmount.ZERO)) {
                    spend(account, allotment.analyst(), run.blocks(), run.spent());
                }
            }
        }
    }

    private boolean hasBlocks(Account account, String holder) throws SQLException {
        return connection
                .first(SPENT_BLOCKS + " AND holder = ? LIMIT 1", row -> true, account.account(), holder)
                .isPresent();
    }

    private void spend(Account account, String holder, BlockWindow window, PrivacyAmount charge) throws SQLException {
        update(SPEND_OF_BLOCKS, window.first(), window.last(), account.account(), holder, charge);
    }

    /**
     * Requires that the head that was committed or confirmed last is still an entry. Other instances may only have
     * added entries after it.
     */
    private void requireNotRewritten(Account before) throws SQLException {
        String known = connection.lastHead(before.account());
        if (known != null && !known.equals(before.head().text()) && !has(before.account(), Head.parse(known))) {
            connection.runAgain();
            throw ChangedRow.refused("account " + before.account(), "its entry " + known + " is gone");
        }
    }

    /** Whether an account has this entry. */
    boolean has(String account, Head entry) throws SQLException {
        boolean[] same = {false};
        entries(account, entry.sequence() - 1, 1, next -> same[0] = next.hash().equals(entry.hash()));
        return same[0];
    }

    /**
     * Requires that the account, and the allotment that a charge was decided with, are what their last entries say, and
     * that the request was not charged before. Somebody who has only the database may have changed or removed these
     * rows. The account's row is locked at this point: nobody adds entries.
     */
    private void requireAsEntered(Account before, LedgerEntry next) throws SQLException {
        boolean isCharge = next.type() == LedgerEntry.Type.CHARGE;
        LedgerEntry head = null;
        Allotment allotment = null;
        for (LedgerEntry entry : connection.all(
                LAST_ENTRIES,
                SqlBooks::entry,
                before.account(),
                before.headSequence(),
                isCharge ? next.analyst() : null,
                next.analyst(),
                next.requestHash())) {
            if (!LedgerChain.hash(before.account(), entry).equals(entry.hash())) {
                throw ChangedRow.refused(
                        "account " + before.account(), "its entry " + entry.sequence() + " was changed");
            }
            if (isCharge
                    && next.analyst().equals(entry.analyst())
                    && Objects.equals(next.requestHash(), entry.requestHash())) {
                throw ChangedRow.refused(
                        "query " + entry.queryId(), "its request was charged before, and the question is gone");
            }
            if (entry.sequence() == before.headSequence()) {
                head = entry;
            }
            if (entry.allotmentAfter() != null
                    && entry.allotmentAfter().analyst().equals(next.analyst())) {
                allotment = entry.allotmentAfter();
            }
        }
        if (head == null
                || !head.hash().equals(before.headHash())
                || !head.limitAfter().equals(before.limit())
                || !head.spentAfter().equals(before.spent())) {
            throw ChangedRow.refused("account " + before.account(), "it is not what its last entry says");
        }
        if (isCharge && !Objects.equals(next.allotmentAfter(), allotment == null ? null : allotment.after(next))) {
            throw ChangedRow.refused(
                    "account " + before.account(),
                    "the allotment of " + next.analyst() + " is not what its last entry says");
        }
    }

    private void insert(Account account) throws SQLException {
        update(
                "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                account.account(),
                account.accountant().name(),
                account.limit(),
                account.spent(),
                account.headSequence(),
                account.headHash(),
                account.blocks() == null ? null : account.blocks().text());
    }

    private boolean move(Account before, LedgerEntry entry) throws SQLException {
        PrivacyAmount limit = entry.limitAfter();
        PrivacyAmount spent = before.spent();
        // With blocks, the largest sum of one block can grow by less than the charge, or not at all.
        PrivacyAmount charge = entry.spentAfter().minusDownToZero(spent);
        return update(
                        MOVE,
                        limit,
                        charge,
                        entry.sequence(),
                        entry.hash(),
                        before.account(),
                        before.headSequence(),
                        before.headHash(),
                        spent,
                        charge.epsilon().nanos(),
                        limit.epsilon().nanos(),
                        charge.delta().attos(),
                        limit.delta().attos(),
                        charge.rho().picos(),
                        limit.rho().picos())
                == 1;
    }

    /** The account's row is locked at this point, so no other transaction changes its allotments. */
    private void put(String account, Allotment allotment) throws SQLException {
        update("""
                INSERT INTO allotment VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, analyst) DO UPDATE SET
                    limit_epsilon_nanos = excluded.limit_epsilon_nanos, limit_delta_attos = excluded.limit_delta_attos,
                    limit_rho_picos = excluded.limit_rho_picos, spent_epsilon_nanos = excluded.spent_epsilon_nanos,
                    spent_delta_attos = excluded.spent_delta_attos, spent_rho_picos = excluded.spent_rho_picos
                """, account, allotment.analyst(), allotment.limit(), allotment.spent());
    }

    void insert(String account, LedgerEntry entry) throws SQLException {
        Allotment allotment = entry.allotmentAfter();
        BlockCharge charged = entry.charged();
        update(
                INSERT_ENTRY,
                account,
                entry.sequence(),
                entry.at().toEpochMilli(),
                LedgerChain.nameOf(entry.type()),
                entry.analyst(),
                entry.queryId(),
                entry.kind(),
                entry.requestHash(),
                entry.charge(),
                entry.limitAfter(),
                entry.spentAfter(),
                allotment == null ? null : allotment.analyst(),
                allotment == null ? NO_AMOUNT : allotment.limit(),
                allotment == null ? NO_AMOUNT : allotment.spent(),
                entry.previousHash(),
                entry.hash(),
                entry.opened() == null ? null : entry.opened().text(),
                charged == null ? null : charged.blocks().first(),
                charged == null ? null : charged.blocks().last(),
                charged == null ? NO_AMOUNT : charged.spentAfter(),
                charged == null || charged.allottedAfter() == null ? NO_AMOUNT : charged.allottedAfter());
    }

    /**
     * Runs a statement.
     *
     * @param values its parameters; an amount stands for its three numbers
     */
    private int update(String sql, @Nullable Object... values) throws SQLException {
        List<@Nullable Object> numbers = new ArrayList<>();
        for (Object value : values) {
            switch (value) {
                case PrivacyAmount(Epsilon epsilon, Delta delta, Rho rho) ->
                    numbers.addAll(List.of(epsilon.nanos(), delta.attos(), rho.picos()));
                case List<?> missing -> numbers.addAll(missing);
                case null, default -> numbers.add(value);
            }
        }
        return connection.update(sql, numbers.toArray());
    }

    private void insert(BookedQuestion question) throws SQLException {
        connection.update(
                INSERT_QUESTION,
                question.queryId(),
                question.account(),
                question.entry().sequence(),
                question.datasetId(),
                question.identity().principal(),
                question.identity().operation(),
                question.identity().idempotencyKey(),
                question.requestDigest(),
                question.requestBody(),
                question.answerBeginning());
        if (question.answerBeginning() != null) {
            journal.record(JournaledQuestions.chain(question), JournaledQuestions.answer(question));
        }
    }

    @Override
    public Optional<BookedQuestion> question(String queryId) throws SQLException {
        String object = JournaledQuestions.answerOf(queryId);
        return connection
                .first(
                        QUESTION_BY_ID,
                        row -> {
                            BookedQuestion found = row.getString(1) == null ? null : question(row);
                            JournaledRow answer = found == null || found.answerBeginning() == null
                                    ? null
                                    : JournaledQuestions.answer(found);
                            journal.requireLast(object, answer, row);
                            return Optional.ofNullable(found);
                        },
                        queryId,
                        object)
                .orElseThrow();
    }

    @Override
    public Optional<BookedQuestion> alike(String datasetId, CanonicalForm form, Instant since) throws SQLException {
        Optional<BookedQuestion> answered = alike(ALIKE_ANSWERED, datasetId, form, since);
        return answered.isPresent() ? answered : alike(ALIKE_RESERVED, datasetId, form, since);
    }

    private Optional<BookedQuestion> alike(String sql, String datasetId, CanonicalForm form, Instant since)
            throws SQLException {
        List<Form> alike = FORMS.all(connection, sql, datasetId, form.digest(), since.toEpochMilli());
        return alike.isEmpty() ? Optional.empty() : question(alike.getFirst().queryId());
    }

    @Override
    public void describe(BookedQuestion question, CanonicalForm form) throws SQLException {
        FORMS.insert(
                connection,
                JournaledQuestions.chain(question),
                new Form(
                        question.queryId(),
                        question.datasetId(),
                        form.digest(),
                        listed(String.join(LINE_FEED, form.columns()))));
    }

    /** The form in which column names are stored. A search for a name includes the line feeds around the name. */
    private static String listed(String columns) {
        return LINE_FEED + columns + LINE_FEED;
    }

    @Override
    public List<AskedQuestion> questions(QuestionFilter filter, long after, int limit) throws SQLException {
        return questions(QUESTIONS_AFTER, filter, after, limit);
    }

    @Override
    public List<AskedQuestion> questionsBefore(QuestionFilter filter, long before, int limit) throws SQLException {
        return questions(QUESTIONS_BEFORE, filter, before, limit);
    }

    private List<AskedQuestion> questions(String sql, QuestionFilter filter, long cursor, int limit)
            throws SQLException {
        return connection.all(
                sql,
                row -> asked(row, row.getBoolean("answered")),
                LedgerRules.CLOSED,
                filter.datasetId(),
                filter.principal(),
                filter.kind(),
                filter.column() == null ? LINE_FEED : listed(filter.column()),
                filter.fromMillis(),
                filter.toMillis(),
                cursor,
                limit);
    }

    @Override
    public List<AskedQuestion> answers(AnswerFilter filter, Order order, long cursor, int limit) throws SQLException {
        return connection.all(
                ANSWERS.formatted(order.comparison(), order.name()),
                row -> asked(row, true),
                filter.account(),
                filter.datasetId(),
                LedgerRules.CLOSED,
                filter.kind(),
                filter.column() == null ? LINE_FEED : listed(filter.column()),
                cursor,
                limit);
    }

    private static AskedQuestion asked(ResultSet row, boolean answered) throws SQLException {
        String refinedBy = row.getString("refined_by");
        return question(row).asked(answered, refinedBy == null && row.getBoolean("is_kept"), refinedBy);
    }

    @Override
    public List<Reservation> reservations(String afterQueryId, int limit) throws SQLException {
        List<BookedQuestion> reserved = connection.all(RESERVED, SqlBooks::question, afterQueryId, limit);
        List<Reservation> reservations = new ArrayList<>(reserved.size());
        for (BookedQuestion each : reserved) {
            reservations.add(new Reservation(each, journal.isRecorded(JournaledQuestions.answerOf(each.queryId()))));
        }
        return reservations;
    }

    private static BookedQuestion question(ResultSet row) throws SQLException {
        return new BookedQuestion(
                row.getString(35),
                row.getString(36),
                row.getString(37),
                new RequestIdentity(row.getString(38), row.getString(39), row.getString(40)),
                row.getBytes(41),
                entry(row),
                row.getBytes(42),
                row.getBytes(43),
                JournaledQuestions.longAnswer(row, 44));
    }

    @Override
    public Optional<BookedQuestion> answer(
            String queryId, byte[] body, @Nullable StoredAttachment attached, @Nullable Released released)
            throws SQLException {
        Optional<BookedQuestion> found = question(queryId);
        if (found.isEmpty() || found.orElseThrow().answerBeginning() != null) {
            return found;
        }
        byte[] beginning = LongAnswer.piece(body, 0);
        if (connection.update(ANSWER, beginning, queryId) == 0) {
            // Another instance has stored an answer since.
            return question(queryId);
        }
        LongAnswer whole = beginning.length < body.length ? LongAnswer.of(body) : null;
        if (whole != null) {
            addPieces(queryId, whole, body);
        }
        BookedQuestion question = found.orElseThrow().asCharged().withAnswer(beginning, whole);
        journal.record(JournaledQuestions.chain(question), JournaledQuestions.answer(question));
        if (attached != null) {
            attachments().settle(question.datasetId(), attached);
        }
        if (released != null) {
            refinements().keep(question, released);
        }
        return Optional.of(question);
    }

    private void addPieces(String queryId, LongAnswer whole, byte[] body) throws SQLException {
        connection.update("INSERT INTO long_answer VALUES (?, ?, ?)", queryId, whole.length(), whole.digests());
        for (int number = 1; number < whole.pieces(); number++) {
            connection.update(
                    "INSERT INTO answer_piece VALUES (?, ?, ?)", queryId, number, LongAnswer.piece(body, number));
        }
    }

    @Override
    public Attachments attachments() {
        return Attachments.in(connection);
    }

    @Override
    public Refinements refinements() {
        return new SqlRefinements(connection);
    }

    @Override
    public Optional<byte[]> answerPiece(String queryId, int number) throws SQLException {
        return connection.first(ANSWER_PIECE, row -> row.getBytes(1), queryId, number);
    }

    @Override
    public void entries(String account, long after, long limit, EntryVisitor visitor) throws SQLException {
        connection.each(ENTRIES_AFTER, row -> visitor.visit(entry(row)), account, after, limit);
    }

    @Override
    public List<LedgerEntry> entriesBefore(String account, long before, int limit) throws SQLException {
        return connection.all(ENTRIES_BEFORE, SqlBooks::entry, account, before, limit);
    }

    @Override
    public void bookings(String account, long after, long upTo, BookingVisitor visitor) throws SQLException {
        connection.each(
                BOOKINGS,
                row -> {
                    LedgerEntry entry = entry(row);
                    visitor.visit(entry, entry.type() != LedgerEntry.Type.CHARGE || isPaidFor(row, entry));
                },
                account,
                after,
                upTo);
    }

    private static boolean isPaidFor(ResultSet row, LedgerEntry entry) throws SQLException {
        if (!row.getBoolean(35)) {
            return false;
        }
        RequestIdentity identity = new RequestIdentity(entry.analyst(), row.getString(37), row.getString(38));
        return LedgerChain.requestHash(row.getString(36), identity, row.getBytes(39))
                .equals(entry.requestHash());
    }

    @Override
    public long lastSequence(String account) throws SQLException {
        return connection
                .first("SELECT coalesce(max(sequence), 0) FROM entry WHERE account = ?", row -> row.getLong(1), account)
                .orElseThrow();
    }

    @Override
    public long questions(String account) throws SQLException {
        return connection
                .first("SELECT count(*) FROM question WHERE account = ?", row -> row.getLong(1), account)
                .orElseThrow();
    }

    private static LedgerEntry entry(ResultSet row) throws SQLException {
        return new LedgerEntry(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                LedgerChain.typeNamed(row.getString(3)),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                amount(row, 8),
                amount(row, 11),
                amount(row, 14),
                allotmentOrNull(row, 17),
                blocksOrNull(row.getString(26)),
                charged(row),
                row.getString(24),
                row.getString(25));
    }

    private static @Nullable BlockCharge charged(ResultSet row) throws SQLException {
        int first = row.getInt(27);
        if (row.wasNull()) {
            return null;
        }
        PrivacyAmount allotted = row.getString(32) == null ? null : amount(row, 32);
        return new BlockCharge(new BlockWindow(first, row.getInt(28)), amount(row, 29), allotted);
    }

    private static PrivacyAmount amount(ResultSet row, int first) throws SQLException {
        return new PrivacyAmount(
                new Epsilon(row.getLong(first)), new Delta(row.getLong(first + 1)), new Rho(row.getLong(first + 2)));
    }
}
