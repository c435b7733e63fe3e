package dev.purser.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** A loop that runs the bare debits that wait in one durable transaction and then answers their callers. */
final class BareGroupCommit implements AutoCloseable {
    private static final int MAX_TOGETHER = 256;

    private static final long END = -1;

    private record Call(long number, CompletableFuture<Boolean> done) {}

    private final BlockingQueue<Call> queue = new LinkedBlockingQueue<>();
    private final Connection connection;
    private final Thread thread;
    private volatile long groups;

    /** @param connection in auto-commit mode, durable; closed with this */
    BareGroupCommit(Connection connection) {
        this.connection = connection;
        this.thread = Thread.ofPlatform().name("bare-writer").start(this::run);
    }

    /** Returns once the debit is durable. */
    void debit(long number) {
        Call call = new Call(number, new CompletableFuture<>());
        queue.add(call);
        call.done().join();
    }

    long groups() {
        return groups;
    }

    private void run() {
        try (Statement statement = connection.createStatement()) {
            BareDebits debits = new BareDebits(connection, "");
            boolean last = false;
            while (!last) {
                List<Call> group = new ArrayList<>();
                group.add(queue.take());
                queue.drainTo(group, MAX_TOGETHER - 1);
                statement.execute("BEGIN IMMEDIATE");
                for (Call call : group) {
                    last |= call.number() == END;
                    if (call.number() != END) {
                        debits.debit(call.number());
                    }
                }
                statement.execute("COMMIT");
                groups++;
                group.forEach(call -> call.done().complete(true));
            }
        } catch (SQLException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() throws SQLException, InterruptedException {
        debit(END);
        thread.join();
        connection.close();
    }
}
