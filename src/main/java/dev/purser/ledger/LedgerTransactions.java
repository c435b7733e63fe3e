package dev.purser.ledger;

import dev.purser.journal.Chain;
import dev.purser.store.Database;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Runs the transactions of modules that keep rows beside the books. */
@Component
public final class LedgerTransactions {
    private final Database database;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    /** @param ledger the ledger, whose guard has to open the database first */
    public LedgerTransactions(Database database, @SuppressWarnings("unused") BudgetLedger ledger, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The statements of one transaction. They may be run more than once. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        T run(LedgerTransaction transaction) throws SQLException;
    }

    /**
     * Runs work that changes no account. It runs after all charges of the same account in its group of commits, so that
     * all instances lock rows in one order.
     */
    public <T extends @Nullable Object> T step(String account, Work<T> work) {
        return run(Chain.ofSessions(account).name(), work);
    }

    /** Runs work that begins with a charge of the account. */
    public <T extends @Nullable Object> T charge(String account, Work<T> work) {
        return run(account, work);
    }

    private <T extends @Nullable Object> T run(String order, Work<T> work) {
        AtomicReference<@Nullable LedgerTransaction> last = new AtomicReference<>();
        T result = database.write(order, connection -> {
            LedgerTransaction transaction =
                    new LedgerTransaction(connection, Instant.ofEpochMilli(clock.millis()), () -> random.nextLong());
            last.set(transaction);
            return work.run(transaction);
        });
        LedgerTransaction committed = last.get();
        if (committed != null) {
            committed.setCommitted();
        }
        return result;
    }
}
