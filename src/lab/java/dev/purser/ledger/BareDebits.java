package dev.purser.ledger;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a debit and nothing else: the SQL of {@link SqlBooks} on prepared statements, with invented hashes
 * and without rules other than the database's own. The baseline of {@link LedgerSpeed}. Not thread-safe.
 */
final class BareDebits {
    private static final long CHARGE = 1_000;
    private static final byte[] DIGEST = new byte[32];
    private static final byte[] REQUEST = "PureDifferentialPrivacy[epsilon=0.000001]".getBytes(StandardCharsets.UTF_8);
    private static final String OPERATION = "POST /v1/datasets/adult/queries/mean";
    private static final String REQUEST_HASH = "0".repeat(64);

    private final PreparedStatement standing;
    private final PreparedStatement move;
    private final PreparedStatement insertEntry;
    private final PreparedStatement insertQuestion;

    /** @param locking appended to the first statement where the database has row locks and others write too */
    BareDebits(Connection connection, String locking) throws SQLException {
        standing = connection.prepareStatement(SqlBooks.STANDING + locking);
        move = connection.prepareStatement(SqlBooks.MOVE);
        insertEntry = connection.prepareStatement(SqlBooks.INSERT_ENTRY);
        insertQuestion = connection.prepareStatement(SqlBooks.INSERT_QUESTION);
    }

    private record Row(long limit, long spent, long sequence, String hash) {}

    /** Debits the account of {@link OpenLedger}, inside a transaction of the caller. */
    void debit(long call) throws SQLException {
        String key = "k" + call;
        Row before = standing(key);
        String hash = padded(64, before.sequence() + 1);
        String queryId = padded(26, before.sequence() + 1);
        move(before, hash);
        insertEntry(before, hash, queryId);
        insertQuestion(before, queryId, key);
    }

    private Row standing(String key) throws SQLException {
        bind(standing, 1, "ana", "ana", OPERATION, key, OpenLedger.ACCOUNT);
        try (ResultSet row = standing.executeQuery()) {
            row.next();
            return new Row(row.getLong(3), row.getLong(6), row.getLong(9), row.getString(10));
        }
    }

    private void move(Row before, String hash) throws SQLException {
        bind(move, 1, before.limit(), 0L, 0L, CHARGE, 0L, 0L, before.sequence() + 1, hash, OpenLedger.ACCOUNT);
        bind(move, 10, before.sequence(), before.hash(), before.spent(), 0L, 0L);
        bind(move, 15, CHARGE, before.limit(), 0L, 0L, 0L, 0L);
        if (move.executeUpdate() != 1) {
            throw new IllegalStateException("the account was not moved");
        }
    }

    private void insertEntry(Row before, String hash, String queryId) throws SQLException {
        bind(insertEntry, 1, OpenLedger.ACCOUNT, before.sequence() + 1, System.currentTimeMillis(), "charge", "ana");
        bind(insertEntry, 6, queryId, "mean", REQUEST_HASH, CHARGE, 0L, 0L, before.limit(), 0L, 0L);
        bind(insertEntry, 15, before.spent() + CHARGE, 0L, 0L, null, null, null, null, null, null, null);
        bind(insertEntry, 25, before.hash(), hash);
        insertEntry.executeUpdate();
    }

    private void insertQuestion(Row before, String queryId, String key) throws SQLException {
        bind(insertQuestion, 1, queryId, OpenLedger.ACCOUNT, before.sequence() + 1, OpenLedger.ACCOUNT, "ana");
        bind(insertQuestion, 6, OPERATION, key, DIGEST, REQUEST);
        insertQuestion.setBytes(10, null);
        insertQuestion.executeUpdate();
    }

    private static void bind(PreparedStatement statement, int first, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case Long number -> statement.setLong(first + i, number);
                case String text -> statement.setString(first + i, text);
                case null, default -> statement.setObject(first + i, values[i]);
            }
        }
    }

    private static String padded(int length, long number) {
        String digits = Long.toHexString(number);
        return "0".repeat(length - digits.length()) + digits;
    }
}
