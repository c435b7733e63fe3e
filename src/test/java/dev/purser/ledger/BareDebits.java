package dev.purser.ledger;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a debit and nothing else: the texts of {@link SqlBooks} on prepared statements, with made-up hashes that
 * nobody computes and no rules but the database's own. The baseline of {@link LedgerSpeed}. Used by one thread at a time.
 */
final class BareDebits {
    private static final long CHARGE = 1_000;
    private static final byte[] DIGEST = new byte[32];
    private static final byte[] REQUEST = "PureDifferentialPrivacy[epsilon=0.000001]".getBytes(StandardCharsets.UTF_8);
    private static final String OPERATION = "POST /v1/datasets/adult/queries/mean";
    private static final String REQUEST_HASH = "0".repeat(64);

    private final PreparedStatement standing;
    private final Change move;
    private final Change insertEntry;
    private final Change insertQuestion;

    /** One of the statements that change something, and where its parameters begin in the prepared one that holds it. */
    private record Change(PreparedStatement statement, int before) {
        void bind(int first, @Nullable Object... values) throws SQLException {
            BareDebits.bind(statement, before + first, values);
        }
    }

    private BareDebits(PreparedStatement standing, Change move, Change insertEntry, Change insertQuestion) {
        this.standing = standing;
        this.move = move;
        this.insertEntry = insertEntry;
        this.insertQuestion = insertQuestion;
    }

    /** For SQLite. */
    static BareDebits inProcess(Connection connection) throws SQLException {
        return new BareDebits(
                connection.prepareStatement(SqlBooks.STANDING),
                new Change(connection.prepareStatement(SqlBooks.MOVE_AND_CHARGE), 0),
                new Change(connection.prepareStatement(SqlBooks.INSERT_ENTRY), 0),
                new Change(connection.prepareStatement(SqlBooks.INSERT_QUESTION), 0));
    }

    /** For PostgreSQL and many writers: the account's row is locked first, and all changes make one trip. */
    static BareDebits onServer(Connection connection) throws SQLException {
        PreparedStatement changes = connection.prepareStatement(
                String.join(";\n", SqlBooks.MOVE_AND_CHARGE, SqlBooks.INSERT_ENTRY, SqlBooks.INSERT_QUESTION));
        int ofMove = parameters(SqlBooks.MOVE_AND_CHARGE);
        return new BareDebits(
                connection.prepareStatement(SqlBooks.STANDING + " FOR UPDATE OF a"),
                new Change(changes, 0),
                new Change(changes, ofMove),
                new Change(changes, ofMove + parameters(SqlBooks.INSERT_ENTRY)));
    }

    private static int parameters(String sql) {
        return (int) sql.chars().filter(character -> character == '?').count();
    }

    private record Row(long limit, long spent, long sequence, String hash) {}

    /** Debits the account of {@link OpenLedger}, inside a transaction of the caller's. */
    void debit(long call) throws SQLException {
        String key = "k" + call;
        Row before = standing(key);
        String hash = padded(64, before.sequence() + 1);
        String queryId = padded(26, before.sequence() + 1);
        bindMove(before, hash, key);
        bindEntry(before, hash, queryId);
        bindQuestion(before, hash, queryId, key);
        move.statement().execute();
        if (move.statement().getUpdateCount() != 1) {
            throw new IllegalStateException("the account was not moved");
        }
        if (insertEntry.statement() != move.statement()) {
            insertEntry.statement().executeUpdate();
            insertQuestion.statement().executeUpdate();
        }
    }

    private Row standing(String key) throws SQLException {
        bind(standing, 1, "ana", "ana", OPERATION, key, OpenLedger.ACCOUNT);
        try (ResultSet row = standing.executeQuery()) {
            row.next();
            return new Row(row.getLong(3), row.getLong(6), row.getLong(9), row.getString(10));
        }
    }

    private void bindMove(Row before, String hash, String key) throws SQLException {
        move.bind(1, before.limit(), 0L, 0L, CHARGE, 0L, 0L, before.sequence() + 1, hash, OpenLedger.ACCOUNT);
        move.bind(10, before.sequence(), before.hash(), before.spent(), 0L, 0L);
        move.bind(15, CHARGE, before.limit(), 0L, 0L, 0L, 0L, "ana", OPERATION, key);
    }

    private void bindEntry(Row before, String hash, String queryId) throws SQLException {
        insertEntry.bind(1, OpenLedger.ACCOUNT, before.sequence() + 1, System.currentTimeMillis(), "charge", "ana");
        insertEntry.bind(6, queryId, "mean", REQUEST_HASH, CHARGE, 0L, 0L, before.limit(), 0L, 0L);
        insertEntry.bind(15, before.spent() + CHARGE, 0L, 0L, null, null, null, null, null, null, null);
        insertEntry.bind(25, before.hash(), hash, OpenLedger.ACCOUNT, before.sequence() + 1, hash);
    }

    private void bindQuestion(Row before, String hash, String queryId, String key) throws SQLException {
        insertQuestion.bind(1, queryId, OpenLedger.ACCOUNT, before.sequence() + 1, OpenLedger.ACCOUNT, "ana");
        insertQuestion.bind(6, OPERATION, key, DIGEST, REQUEST);
        insertQuestion.statement().setBytes(insertQuestion.before() + 10, null);
        insertQuestion.bind(11, OpenLedger.ACCOUNT, before.sequence() + 1, hash);
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
