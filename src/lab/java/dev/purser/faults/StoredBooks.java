package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The ledger's tables, read directly from the database and never written. */
final class StoredBooks implements AutoCloseable {
    /** An account's row, amounts in nano-epsilon. */
    record Summary(long limitNanos, long spentNanos, long headSequence, String headHash) {}

    private final Connection connection;

    StoredBooks(Connection connection) {
        this.connection = connection;
    }

    /** The account of a dataset. */
    String account(String dataset) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT account FROM dataset WHERE id = ?")) {
            statement.setString(1, dataset);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    Summary summary(String account) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT limit_epsilon_nanos, spent_epsilon_nanos, head_sequence, head_hash
                FROM account WHERE account = ?""")) {
            statement.setString(1, account);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return new Summary(row.getLong(1), row.getLong(2), row.getLong(3), row.getString(4));
            }
        }
    }

    /** All entries of an account in their order. */
    List<Booked> entries(String account) throws SQLException {
        List<Booked> entries = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT e.*, q.principal, q.dataset_id, q.operation, q.idempotency_key, q.request_digest, q.body
                FROM entry e LEFT JOIN question q ON q.account = e.account AND q.sequence = e.sequence
                WHERE e.account = ? ORDER BY e.sequence""")) {
            statement.setString(1, account);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    entries.add(entry(row));
                }
            }
        }
        return entries;
    }

    /**
     * A plan's row.
     *
     * @param items the query ids of its questions
     */
    record Plan(String operation, String key, String requestDigest, List<String> items) {}

    /** All plans about a dataset. */
    List<Plan> plans(String dataset) throws SQLException {
        List<Plan> plans = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT operation, idempotency_key, request_digest, items FROM plan WHERE dataset_id = ?")) {
            statement.setString(1, dataset);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    plans.add(new Plan(
                            row.getString(1),
                            row.getString(2),
                            HexFormat.of().formatHex(row.getBytes(3)),
                            List.of(row.getString(4).split("\n"))));
                }
            }
        }
        return plans;
    }

    /** SHA-256 of a plan's reply, made of its stored answers; null if one is missing. */
    String replyDigest(Plan plan) throws SQLException {
        List<String> answers = new ArrayList<>();
        for (String item : plan.items()) {
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT body FROM question WHERE query_id = ?")) {
                statement.setString(1, item);
                try (ResultSet row = statement.executeQuery()) {
                    byte[] body = row.next() ? row.getBytes(1) : null;
                    if (body == null) {
                        return null;
                    }
                    answers.add(new String(whole(item, body), StandardCharsets.UTF_8));
                }
            }
        }
        String reply = "{\"items\":[" + String.join(",", answers) + "]}";
        return Digests.sha256(reply.getBytes(StandardCharsets.UTF_8));
    }

    /** The keys of answered questions about a dataset that have pieces of a draw that is not the attachment's. */
    Set<String> keysWithLeftovers(String dataset) throws SQLException {
        Set<String> keys = new TreeSet<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT q.idempotency_key FROM attachment_piece p JOIN question q ON q.query_id = p.query_id
                LEFT JOIN attachment a ON a.query_id = p.query_id AND a.draw = p.draw
                WHERE q.dataset_id = ? AND q.body IS NOT NULL AND a.draw IS NULL""")) {
            statement.setString(1, dataset);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    keys.add(row.getString(1));
                }
            }
        }
        return keys;
    }

    /** All threshold sessions of a dataset with their outcomes. */
    List<StoredSession> sessions(String dataset) throws SQLException {
        Map<String, List<StoredSession.Step>> steps = steps(dataset);
        List<StoredSession> sessions = new ArrayList<>();
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT * FROM interaction WHERE dataset_id = ?")) {
            statement.setString(1, dataset);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String id = row.getString("interaction_id");
                    sessions.add(new StoredSession(
                            id,
                            row.getString("operation"),
                            row.getString("idempotency_key"),
                            Digests.sha256(row.getBytes("request")),
                            Digests.sha256(row.getBytes("reply")),
                            row.getLong("charges"),
                            row.getLong("charged_epsilon_nanos"),
                            row.getLong("steps"),
                            row.getLong("costly_steps_left"),
                            row.getBytes("sealed_state") != null,
                            row.getString("closed_because"),
                            steps.getOrDefault(id, List.of())));
                }
            }
        }
        return sessions;
    }

    private Map<String, List<StoredSession.Step>> steps(String dataset) throws SQLException {
        Map<String, List<StoredSession.Step>> steps = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT s.* FROM interaction_step s JOIN interaction i ON i.interaction_id = s.interaction_id
                WHERE i.dataset_id = ? ORDER BY s.interaction_id, s.sequence""")) {
            statement.setString(1, dataset);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    steps.computeIfAbsent(row.getString("interaction_id"), id -> new ArrayList<>())
                            .add(new StoredSession.Step(
                                    row.getLong("sequence"),
                                    HexFormat.of().formatHex(row.getBytes("request_digest")),
                                    new String(row.getBytes("body"), StandardCharsets.UTF_8)));
                }
            }
        }
        return steps;
    }

    private Booked entry(ResultSet row) throws SQLException {
        byte[] digest = row.getBytes("request_digest");
        byte[] body = row.getBytes("body");
        return new Booked(
                row.getString("account"),
                row.getLong("sequence"),
                row.getLong("at_millis"),
                row.getString("type"),
                row.getString("analyst"),
                row.getString("query_id"),
                row.getString("kind"),
                row.getString("request_hash"),
                amounts(row, "charge_"),
                amounts(row, "limit_after_"),
                amounts(row, "spent_after_"),
                row.getString("allotted_analyst"),
                amountsOrNull(row, "allotted_limit_"),
                amountsOrNull(row, "allotted_spent_"),
                row.getString("blocks"),
                window(row),
                amountsOrNull(row, "window_after_"),
                amountsOrNull(row, "allotted_after_"),
                row.getString("previous_hash"),
                row.getString("hash"),
                row.getString("principal"),
                row.getString("dataset_id"),
                row.getString("operation"),
                row.getString("idempotency_key"),
                digest == null ? null : HexFormat.of().formatHex(digest),
                body == null ? null : Digests.sha256(whole(row.getString("query_id"), body)));
    }

    /** An answer with the pieces after its beginning. */
    private byte[] whole(String queryId, byte[] beginning) throws SQLException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(beginning);
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT content FROM answer_piece WHERE query_id = ? ORDER BY piece")) {
            statement.setString(1, queryId);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    whole.writeBytes(row.getBytes(1));
                }
            }
        }
        return whole.toByteArray();
    }

    private static BlockWindow window(ResultSet row) throws SQLException {
        int first = row.getInt("first_block");
        return row.wasNull() ? null : new BlockWindow(first, row.getInt("last_block"));
    }

    private static long[] amountsOrNull(ResultSet row, String prefix) throws SQLException {
        return row.getObject(prefix + "epsilon_nanos") == null ? null : amounts(row, prefix);
    }

    private static long[] amounts(ResultSet row, String prefix) throws SQLException {
        return new long[] {
            row.getLong(prefix + "epsilon_nanos"),
            row.getLong(prefix + "delta_attos"),
            row.getLong(prefix + "rho_picos")
        };
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
