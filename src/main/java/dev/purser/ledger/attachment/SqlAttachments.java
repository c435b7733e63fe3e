package dev.purser.ledger.attachment;

import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The SQL statements of attachments. */
final class SqlAttachments implements Attachments {
    private static final String PIECES = "FROM attachment_piece WHERE query_id = ? AND draw = ?";

    /** A statement sees an answer and its attachment together, or neither: one transaction writes both. */
    private static final String IS_LEFTOVER = """
            EXISTS (SELECT 1 FROM question q WHERE q.query_id = attachment_piece.query_id AND q.body IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM attachment a
                WHERE a.query_id = attachment_piece.query_id AND a.draw = attachment_piece.draw)
            """;

    private static final String LEFTOVERS =
            "SELECT query_id, draw, piece FROM attachment_piece WHERE " + IS_LEFTOVER + " LIMIT ?";

    private static final String REMOVE = "DELETE " + PIECES + " AND piece = ? AND " + IS_LEFTOVER;

    private static final String FIRST_OF_SERIES = "SELECT query_id FROM attachment"
            + " WHERE dataset_id = ? AND series = query_id AND query_id %s ? ORDER BY query_id %s LIMIT ?";

    private final StoreConnection connection;

    SqlAttachments(StoreConnection connection) {
        this.connection = connection;
    }

    @Override
    public void add(Piece piece, byte[] sealed) throws SQLException {
        connection.update(
                "INSERT INTO attachment_piece VALUES (?, ?, ?, ?)",
                piece.queryId(),
                piece.draw(),
                piece.number(),
                sealed);
    }

    @Override
    public Optional<Draw> settled(String queryId) throws SQLException {
        return connection.first(
                "SELECT draw, draw_key FROM attachment WHERE query_id = ?",
                row -> new Draw(row.getBytes(1), row.getBytes(2)),
                queryId);
    }

    @Override
    public long length(String queryId, byte[] draw) throws SQLException {
        return connection
                .first("SELECT coalesce(sum(length(content)), 0) " + PIECES, row -> row.getLong(1), queryId, draw)
                .orElseThrow();
    }

    @Override
    public Optional<byte[]> sealed(Piece piece) throws SQLException {
        return connection.first(
                "SELECT content " + PIECES + " AND piece = ?",
                row -> row.getBytes(1),
                piece.queryId(),
                piece.draw(),
                piece.number());
    }

    @Override
    public void settle(String datasetId, StoredAttachment attached) throws SQLException {
        long pieces = connection
                .first(
                        "SELECT count(*) " + PIECES,
                        row -> row.getLong(1),
                        attached.queryId(),
                        attached.draw().id())
                .orElseThrow();
        if (pieces != attached.pieces()) {
            throw new IllegalStateException("the attachment of " + attached.queryId() + " has " + pieces + " of "
                    + attached.pieces() + " pieces");
        }
        connection.update(
                "INSERT INTO attachment VALUES (?, ?, ?, ?, ?)",
                attached.queryId(),
                datasetId,
                attached.series(),
                attached.draw().id(),
                attached.draw().key());
    }

    @Override
    public List<Piece> leftovers(int limit) throws SQLException {
        return connection.all(LEFTOVERS, row -> new Piece(row.getString(1), row.getBytes(2), row.getInt(3)), limit);
    }

    @Override
    public void remove(Piece leftover) throws SQLException {
        connection.update(REMOVE, leftover.queryId(), leftover.draw(), leftover.number());
    }

    @Override
    public List<String> series(String first) throws SQLException {
        return connection.all(
                "SELECT query_id FROM attachment WHERE series = ? ORDER BY query_id", row -> row.getString(1), first);
    }

    @Override
    public List<String> firstOfSeries(String datasetId, Order order, String afterQueryId, int limit)
            throws SQLException {
        String statement = FIRST_OF_SERIES.formatted(order.comparison(), order.name());
        return connection.all(statement, row -> row.getString(1), datasetId, afterQueryId, limit);
    }
}
