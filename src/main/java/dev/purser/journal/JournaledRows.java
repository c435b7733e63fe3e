package dev.purser.journal;

import dev.purser.store.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * One kind of deciding rows. Each row has an entry in the journal for its present content, and the start compares all
 * rows with the journal. A module that keeps such rows has one bean of this type for each kind. The bean depends on
 * nothing, because it is used before anything else reads the database.
 *
 * @param name what the rows are, in the plural: {@code answers}
 * @param kind the kind of the chains that have the rows' entries
 * @param sql a statement that selects the rows of one chain; its parameter is the chain's owner
 * @param reader makes the recorded form of a row
 * @param ending ends what must not go on after confirmed entries of a chain were lost
 */
public record JournaledRows(String name, Chain.Kind kind, String sql, Reader reader, Ending ending) {
    /** Makes the recorded form of a row. */
    @FunctionalInterface
    public interface Reader {
        /** @param connection for reading further rows whose content the entry covers */
        JournaledRow read(StoreConnection connection, ResultSet row) throws SQLException;
    }

    /** Ends what must not go on. */
    @FunctionalInterface
    public interface Ending {
        /** Ends nothing. */
        Ending NONE = (connection, owner) -> 0;

        /** Returns how many things were ended. */
        int end(StoreConnection connection, String owner) throws SQLException;
    }

    /** Receives rows. */
    @FunctionalInterface
    interface Visitor {
        void visit(JournaledRow row) throws SQLException;
    }

    /** Rows whose recorded form needs no further rows, and after whose loss nothing has to end. */
    public JournaledRows(String name, Chain.Kind kind, String sql, StoreConnection.RowReader<JournaledRow> reader) {
        this(name, kind, sql, (connection, row) -> reader.read(row), Ending.NONE);
    }

    /** The chains that may have such rows. */
    List<Chain> chains(StoreConnection connection) throws SQLException {
        return connection.all(kind.owners, row -> new Chain(kind, row.getString(1)));
    }

    /** Visits the rows that belong to a chain. A chain of another kind has no such rows. */
    void each(StoreConnection connection, Chain chain, Visitor visitor) throws SQLException {
        if (chain.kind() == kind) {
            connection.each(sql, row -> visitor.visit(reader.read(connection, row)), chain.owner());
        }
    }

    int end(StoreConnection connection, Chain chain) throws SQLException {
        return chain.kind() == kind ? ending.end(connection, chain.owner()) : 0;
    }
}
