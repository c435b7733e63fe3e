package dev.purser.ledger;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.store.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The ledger's statements. They load and write rows; they decide nothing. */
final class LedgerTables {
    private static final String QUESTION = """
            SELECT q.query_id AS id, q.account, q.dataset_id, q.principal, q.operation, q.idempotency_key,
                q.request_digest, q.body, e.*
            FROM question q JOIN entry e USING (account, sequence)
            """;

    private LedgerTables() {}

    static @Nullable Account account(Session session, String account) throws SQLException {
        return session.first("SELECT * FROM account WHERE account = ?", LedgerTables::account, account)
                .orElse(null);
    }

    private static Account account(ResultSet row) throws SQLException {
        return new Account(
                row.getString("account"),
                row.getString("accountant"),
                amount(row, "limit_"),
                amount(row, "spent_"),
                row.getLong("head_sequence"),
                row.getString("head_hash"));
    }

    static void insert(Session transaction, Account account) throws SQLException {
        PrivacyAmount limit = account.limit();
        PrivacyAmount spent = account.spent();
        transaction.update(
                "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                account.account(),
                account.accountant(),
                limit.epsilon().nanos(),
                limit.delta().attos(),
                limit.rho().picos(),
                spent.epsilon().nanos(),
                spent.delta().attos(),
                spent.rho().picos(),
                account.headSequence(),
                account.headHash());
    }

    /**
     * Debits {@code charge}, if the row is still the one the decision was made on and the charge still fits. The subtraction
     * cannot overflow: both sides are between zero and the limit.
     *
     * @return whether it did
     */
    static boolean debit(Session transaction, Account before, PrivacyAmount charge, LedgerEntry entry)
            throws SQLException {
        long epsilon = charge.epsilon().nanos();
        long delta = charge.delta().attos();
        long rho = charge.rho().picos();
        PrivacyAmount spent = before.spent();
        return transaction.update(
                        """
                UPDATE account
                SET spent_epsilon_nanos = spent_epsilon_nanos + ?, spent_delta_attos = spent_delta_attos + ?,
                    spent_rho_picos = spent_rho_picos + ?, head_sequence = ?, head_hash = ?
                WHERE account = ? AND head_sequence = ?
                    AND spent_epsilon_nanos = ? AND spent_delta_attos = ? AND spent_rho_picos = ?
                    AND ? <= limit_epsilon_nanos - spent_epsilon_nanos
                    AND ? <= limit_delta_attos - spent_delta_attos
                    AND ? <= limit_rho_picos - spent_rho_picos
                """,
                        epsilon,
                        delta,
                        rho,
                        entry.sequence(),
                        entry.hash(),
                        before.account(),
                        before.headSequence(),
                        spent.epsilon().nanos(),
                        spent.delta().attos(),
                        spent.rho().picos(),
                        epsilon,
                        delta,
                        rho)
                == 1;
    }

    static void insert(Session transaction, String account, LedgerEntry entry) throws SQLException {
        PrivacyAmount charge = entry.charge();
        PrivacyAmount limit = entry.limitAfter();
        PrivacyAmount spent = entry.spentAfter();
        transaction.update(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                account,
                entry.sequence(),
                entry.at().toEpochMilli(),
                LedgerChain.nameOf(entry.type()),
                entry.analyst(),
                entry.queryId(),
                entry.kind(),
                charge.epsilon().nanos(),
                charge.delta().attos(),
                charge.rho().picos(),
                limit.epsilon().nanos(),
                limit.delta().attos(),
                limit.rho().picos(),
                spent.epsilon().nanos(),
                spent.delta().attos(),
                spent.rho().picos(),
                entry.previousHash(),
                entry.hash());
    }

    static void insert(Session transaction, Question question) throws SQLException {
        transaction.update(
                "INSERT INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                question.queryId(),
                question.account(),
                question.entry().sequence(),
                question.datasetId(),
                question.identity().principal(),
                question.identity().operation(),
                question.identity().idempotencyKey(),
                question.requestDigest());
    }

    static @Nullable Question question(Session session, RequestIdentity identity) throws SQLException {
        return session.first(
                        QUESTION + "WHERE q.principal = ? AND q.operation = ? AND q.idempotency_key = ?",
                        LedgerTables::question,
                        identity.principal(),
                        identity.operation(),
                        identity.idempotencyKey())
                .orElse(null);
    }

    static @Nullable Question question(Session session, String queryId) throws SQLException {
        return session.first(QUESTION + "WHERE q.query_id = ?", LedgerTables::question, queryId)
                .orElse(null);
    }

    private static Question question(ResultSet row) throws SQLException {
        return new Question(
                row.getString("id"),
                row.getString("account"),
                row.getString("dataset_id"),
                new RequestIdentity(
                        row.getString("principal"), row.getString("operation"), row.getString("idempotency_key")),
                row.getBytes("request_digest"),
                entry(row),
                row.getBytes("body"));
    }

    /** Stores the answer of a question that has none; the first writer wins. */
    static void answerOnce(Session transaction, String queryId, byte[] body) throws SQLException {
        transaction.update("UPDATE question SET body = ? WHERE query_id = ? AND body IS NULL", body, queryId);
    }

    /** Receives entries one by one. */
    interface EntryVisitor {
        void visit(LedgerEntry entry) throws SQLException;
    }

    /** Visits at most {@code limit} entries after a sequence number, ascending. */
    static void entries(Session session, String account, long after, long limit, EntryVisitor visitor)
            throws SQLException {
        session.each(
                "SELECT * FROM entry WHERE account = ? AND sequence > ? ORDER BY sequence LIMIT ?",
                row -> visitor.visit(entry(row)),
                account,
                after,
                limit);
    }

    /** Whether the account's charges and questions belong together one to one. */
    static boolean everyChargeHasItsQuestion(Session session, String account) throws SQLException {
        return session.first("""
                SELECT (SELECT count(*) FROM entry WHERE account = ? AND type = 'charge')
                        = (SELECT count(*) FROM question WHERE account = ?)
                    AND NOT EXISTS (
                        SELECT 1 FROM question q LEFT JOIN entry e USING (account, sequence)
                        WHERE q.account = ?
                            AND (e.query_id IS DISTINCT FROM q.query_id OR e.analyst IS DISTINCT FROM q.principal))
                """, row -> row.getBoolean(1), account, account, account)
                .orElse(false);
    }

    private static LedgerEntry entry(ResultSet row) throws SQLException {
        return new LedgerEntry(
                row.getLong("sequence"),
                Instant.ofEpochMilli(row.getLong("at_millis")),
                LedgerEntry.Type.valueOf(row.getString("type").toUpperCase(Locale.ROOT)),
                row.getString("analyst"),
                row.getString("query_id"),
                row.getString("kind"),
                amount(row, "charge_"),
                amount(row, "limit_after_"),
                amount(row, "spent_after_"),
                row.getString("previous_hash"),
                row.getString("hash"));
    }

    private static PrivacyAmount amount(ResultSet row, String prefix) throws SQLException {
        return new PrivacyAmount(
                new Epsilon(row.getLong(prefix + "epsilon_nanos")),
                new Delta(row.getLong(prefix + "delta_attos")),
                new Rho(row.getLong(prefix + "rho_picos")));
    }
}
