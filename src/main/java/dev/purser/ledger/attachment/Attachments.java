package dev.purser.ledger.attachment;

import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The attachments of answers inside one transaction. Only the ledger uses it. */
public interface Attachments {
    /** The attachments, read and written through this connection. */
    static Attachments in(StoreConnection connection) {
        return new SqlAttachments(connection);
    }

    /**
     * One attempt at an attachment.
     *
     * @param id the name of the attempt; it says nothing about the key
     * @param key opens its pieces
     */
    record Draw(byte[] id, byte[] key) {}

    /**
     * Where a piece is.
     *
     * @param draw the id of its draw
     * @param number from 0
     */
    record Piece(String queryId, byte[] draw, int number) {}

    /** @param sealed the encrypted content of the piece */
    void add(Piece piece, byte[] sealed) throws SQLException;

    /** The draw of an answer; empty if the question has no answer with an attachment. */
    Optional<Draw> settled(String queryId) throws SQLException;

    /** How many bytes all pieces of a draw have together; 0 if there are none. */
    long length(String queryId, byte[] draw) throws SQLException;

    Optional<byte[]> sealed(Piece piece) throws SQLException;

    /**
     * Makes a draw the attachment of an answer, in the transaction that stores the answer.
     *
     * @throws IllegalStateException if some of its pieces are missing
     */
    void settle(String datasetId, StoredAttachment attached) throws SQLException;

    /**
     * Pieces that nobody will ever read: their question is answered, with another draw or with none. Pieces of a
     * question without an answer are not among them, because an attempt may be about to settle with them.
     */
    List<Piece> leftovers(int limit) throws SQLException;

    /** Removes a piece if it is left over. */
    void remove(Piece leftover) throws SQLException;

    /** The query ids of a series, ascending. */
    List<String> series(String first) throws SQLException;

    /**
     * The first query id of each series of a dataset, for the series that come after {@code afterQueryId} in this
     * order.
     */
    List<String> firstOfSeries(String datasetId, Order order, String afterQueryId, int limit) throws SQLException;
}
