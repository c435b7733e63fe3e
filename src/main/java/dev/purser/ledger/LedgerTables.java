package dev.purser.ledger;

import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import java.sql.Connection;
import java.sql.PreparedStatement;
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

    static @Nullable Account account(Connection connection, String account) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT * FROM account WHERE account = ?")) {
            select.setString(1, account);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? account(row) : null;
            }
        }
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

    static void insert(Connection transaction, Account account) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("INSERT INTO account VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, account.account());
            insert.setString(2, account.accountant());
            setAmount(insert, 3, account.limit());
            setAmount(insert, 6, account.spent());
            insert.setLong(9, account.headSequence());
            insert.setString(10, account.headHash());
            insert.executeUpdate();
        }
    }

    /**
     * Debits {@code charge}, if the row is still the one the decision was made on and the charge still fits. The subtraction
     * cannot overflow: both sides are between zero and the limit.
     *
     * @return whether it did
     */
    static boolean debit(Connection transaction, Account before, PrivacyAmount charge, LedgerEntry entry)
            throws SQLException {
        try (PreparedStatement update = transaction.prepareStatement("""
                UPDATE account
                SET spent_epsilon_nanos = spent_epsilon_nanos + ?, spent_delta_attos = spent_delta_attos + ?,
                    spent_rho_picos = spent_rho_picos + ?, head_sequence = ?, head_hash = ?
                WHERE account = ? AND head_sequence = ?
                    AND spent_epsilon_nanos = ? AND spent_delta_attos = ? AND spent_rho_picos = ?
                    AND ? <= limit_epsilon_nanos - spent_epsilon_nanos
                    AND ? <= limit_delta_attos - spent_delta_attos
                    AND ? <= limit_rho_picos - spent_rho_picos
                """)) {
            setAmount(update, 1, charge);
            update.setLong(4, entry.sequence());
            update.setString(5, entry.hash());
            update.setString(6, before.account());
            update.setLong(7, before.headSequence());
            setAmount(update, 8, before.spent());
            setAmount(update, 11, charge);
            return update.executeUpdate() == 1;
        }
    }

    static void insert(Connection transaction, String account, LedgerEntry entry) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setString(1, account);
            insert.setLong(2, entry.sequence());
            insert.setLong(3, entry.at().toEpochMilli());
            insert.setString(4, LedgerChain.nameOf(entry.type()));
            insert.setString(5, entry.analyst());
            insert.setString(6, entry.queryId());
            insert.setString(7, entry.kind());
            setAmount(insert, 8, entry.charge());
            setAmount(insert, 11, entry.limitAfter());
            setAmount(insert, 14, entry.spentAfter());
            insert.setString(17, entry.previousHash());
            insert.setString(18, entry.hash());
            insert.executeUpdate();
        }
    }

    static void insert(Connection transaction, Question question) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("INSERT INTO question VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)")) {
            insert.setString(1, question.queryId());
            insert.setString(2, question.account());
            insert.setLong(3, question.entry().sequence());
            insert.setString(4, question.datasetId());
            insert.setString(5, question.identity().principal());
            insert.setString(6, question.identity().operation());
            insert.setString(7, question.identity().idempotencyKey());
            insert.setBytes(8, question.requestDigest());
            insert.executeUpdate();
        }
    }

    static @Nullable Question question(Connection connection, RequestIdentity identity) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                QUESTION + "WHERE q.principal = ? AND q.operation = ? AND q.idempotency_key = ?")) {
            select.setString(1, identity.principal());
            select.setString(2, identity.operation());
            select.setString(3, identity.idempotencyKey());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? question(row) : null;
            }
        }
    }

    static @Nullable Question question(Connection connection, String queryId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(QUESTION + "WHERE q.query_id = ?")) {
            select.setString(1, queryId);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? question(row) : null;
            }
        }
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
    static void answerOnce(Connection transaction, String queryId, byte[] body) throws SQLException {
        try (PreparedStatement update =
                transaction.prepareStatement("UPDATE question SET body = ? WHERE query_id = ? AND body IS NULL")) {
            update.setBytes(1, body);
            update.setString(2, queryId);
            update.executeUpdate();
        }
    }

    /** Receives entries one by one. */
    interface EntryVisitor {
        void visit(LedgerEntry entry) throws SQLException;
    }

    /** Visits at most {@code limit} entries after a sequence number, ascending. */
    static void entries(Connection connection, String account, long after, long limit, EntryVisitor visitor)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT * FROM entry WHERE account = ? AND sequence > ? ORDER BY sequence LIMIT ?")) {
            select.setString(1, account);
            select.setLong(2, after);
            select.setLong(3, limit);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    visitor.visit(entry(row));
                }
            }
        }
    }

    /** Whether the account's charges and questions belong together one to one. */
    static boolean everyChargeHasItsQuestion(Connection connection, String account) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT (SELECT count(*) FROM entry WHERE account = ?1 AND type = 'charge')
                        = (SELECT count(*) FROM question WHERE account = ?1)
                    AND NOT EXISTS (
                        SELECT 1 FROM question q LEFT JOIN entry e USING (account, sequence)
                        WHERE q.account = ?1 AND (e.query_id IS NOT q.query_id OR e.analyst IS NOT q.principal))
                """)) {
            select.setString(1, account);
            try (ResultSet row = select.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
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

    private static void setAmount(PreparedStatement statement, int index, PrivacyAmount amount) throws SQLException {
        statement.setLong(index, amount.epsilon().nanos());
        statement.setLong(index + 1, amount.delta().attos());
        statement.setLong(index + 2, amount.rho().picos());
    }
}
