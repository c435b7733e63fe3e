package dev.purser.ledger;

import dev.purser.store.Order;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The attachments of answers inside one transaction, as {@link Books}. */
interface Attachments {
    /**
     * The key of a piece.
     *
     * @param digest SHA-256 of the whole content
     * @param number from 0
     */
    record Piece(String queryId, byte[] digest, int number) {}

    /** Adds a piece. One that is there under this key is left as it is. */
    void add(Piece piece, byte[] content) throws SQLException;

    /** How many bytes all pieces of a content have together; 0 if there are none. */
    long length(String queryId, byte[] digest) throws SQLException;

    Optional<byte[]> content(Piece piece) throws SQLException;

    /**
     * Makes pieces those of an answer, in the transaction that stores it.
     *
     * @throws IllegalStateException if some are missing
     */
    void settle(String datasetId, Attached attached) throws SQLException;

    /**
     * Pieces that nobody will ever read: their question is answered, with another content or with none. Pieces of a
     * question without an answer are none: an attempt may be about to settle with them.
     */
    List<Piece> leftovers(int limit) throws SQLException;

    /** Removes a piece if it is left over. */
    void remove(Piece leftover) throws SQLException;

    /** The query ids of a series, ascending. */
    List<String> series(String first) throws SQLException;

    /** The first query ids of a dataset's series that come after one of them in this order. */
    List<String> firstOfSeries(String datasetId, Order order, String afterQueryId, int limit) throws SQLException;
}
