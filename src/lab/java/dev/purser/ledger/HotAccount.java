package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * One transaction for each bare debit, on a few connections to PostgreSQL, as a service without group commit would do
 * it. The first statement locks the account's row, so that no debit is decided on a row that changes meanwhile.
 */
final class HotAccount implements AutoCloseable {
    private record Slot(Connection connection, BareDebits debits) {}

    private final List<Connection> connections = new ArrayList<>();
    private final BlockingQueue<Slot> idle;

    HotAccount(LedgerSettings settings, int size) throws SQLException {
        idle = new ArrayBlockingQueue<>(size);
        for (int i = 0; i < size; i++) {
            Connection connection = DriverManager.getConnection(settings.url(), settings.user(), settings.password());
            connection.setAutoCommit(false);
            connections.add(connection);
            idle.add(new Slot(connection, new BareDebits(connection, " FOR UPDATE OF a")));
        }
    }

    /** Returns once the debit is durable. */
    void debit(long number) throws SQLException, InterruptedException {
        Slot slot = idle.take();
        try {
            slot.debits().debit(number);
            slot.connection().commit();
        } finally {
            idle.add(slot);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
