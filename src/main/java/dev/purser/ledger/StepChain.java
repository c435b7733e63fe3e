package dev.purser.ledger;

import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hash chain of the steps of an account's interactive mechanisms. Its head is anchored as the account's own is, so
 * that a database that lost steps is noticed. Otherwise a restored copy would answer with a noisy threshold whose later
 * answers are public.
 *
 * <p>A lost step loses no charge: the loss closes the account's interactions instead of stopping the service.
 */
final class StepChain {
    /** Marks the names under which the heads are anchored. No account has such a character. */
    private static final String SUFFIX = "/steps";

    private static final String FORMAT = "purser-step-1";

    private static final String HEAD = "SELECT sequence, hash FROM step_head WHERE account = ?";

    private static final String MOVE =
            "UPDATE step_head SET sequence = ?, hash = ? WHERE account = ? AND sequence = ? AND hash = ?";

    private final StoreConnection connection;

    StepChain(StoreConnection connection) {
        this.connection = connection;
    }

    static String anchored(String account) {
        return account + SUFFIX;
    }

    /** The account of such a name; null if the name is not one of these. */
    static @Nullable String accountOf(String anchored) {
        return anchored.endsWith(SUFFIX) ? anchored.substring(0, anchored.length() - SUFFIX.length()) : null;
    }

    /** The heads of all accounts, by the names under which they are anchored. */
    Map<String, Head> heads() throws SQLException {
        Map<String, Head> heads = new TreeMap<>();
        connection.each(
                "SELECT account, sequence, hash FROM step_head",
                row -> heads.put(anchored(row.getString(1)), new Head(row.getLong(2), row.getString(3))));
        return heads;
    }

    /** Adds a step. Its link locks the chain, so that steps of several instances have one order. */
    void append(String account, String step) throws SQLException {
        linkAfter(account, 0, step);
    }

    /**
     * Closes the account's interactions if the database lacks a step that was confirmed. The chain then goes on after
     * it.
     *
     * @return how many were open; empty if the database lacks none
     */
    OptionalInt closedAfterLoss(String account, Head confirmed) throws SQLException {
        if (has(account, confirmed)) {
            return OptionalInt.empty();
        }
        // The link comes first, as in every step, so that instances lock in one order.
        linkAfter(account, confirmed.sequence(), "restored");
        return OptionalInt.of(close(account));
    }

    /** Closes the account's interactions, because what they answered may be lost. Returns how many were open. */
    int close(String account) throws SQLException {
        return connection.update("""
                UPDATE interaction SET closed_because = 'restored', sealed_state = NULL, version = version + 1
                WHERE account = ? AND closed_because IS NULL
                """, account);
    }

    private boolean has(String account, Head confirmed) throws SQLException {
        return connection
                .first(
                        "SELECT hash FROM step_link WHERE account = ? AND sequence = ?",
                        row -> row.getString(1),
                        account,
                        confirmed.sequence())
                .filter(confirmed.hash()::equals)
                .isPresent();
    }

    /** Adds a link with a sequence number above {@code least}, or again if another instance added one first. */
    private void linkAfter(String account, long least, String content) throws SQLException {
        Head next;
        Head head;
        do {
            head = head(account);
            long sequence = Math.max(head.sequence(), least) + 1;
            String hash = new CanonicalBytes()
                    .text(head.hash())
                    .text(FORMAT)
                    .text(account)
                    .number(sequence)
                    .text(content)
                    .sha256();
            next = new Head(sequence, hash);
        } while (connection.update(MOVE, next.sequence(), next.hash(), account, head.sequence(), head.hash()) == 0);
        connection.update("INSERT INTO step_link VALUES (?, ?, ?)", account, next.sequence(), next.hash());
        connection.noteHead(anchored(account), next.text());
    }

    private Head head(String account) throws SQLException {
        Optional<Head> head = connection.first(HEAD, row -> new Head(row.getLong(1), row.getString(2)), account);
        if (head.isPresent()) {
            return head.orElseThrow();
        }
        connection.update(
                "INSERT INTO step_head VALUES (?, 1, ?) ON CONFLICT DO NOTHING", account, LedgerChain.GENESIS);
        return connection
                .first(HEAD, row -> new Head(row.getLong(1), row.getString(2)), account)
                .orElseThrow();
    }
}
