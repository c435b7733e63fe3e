package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Read-only connections. Each read sees one snapshot of committed data. */
interface Readers extends AutoCloseable {
    <T extends @Nullable Object> T read(Database.Work<T> work);

    /** As {@link #read}, for work that is one statement. */
    <T extends @Nullable Object> T readOne(Database.Work<T> work);

    @Override
    void close() throws SQLException;

    static ProblemException unavailable() {
        return ProblemException.of(
                        ProblemType.TEMPORARILY_UNAVAILABLE,
                        "The ledger cannot be read right now; send the same request again later.")
                .retryAfter(Duration.ofSeconds(5));
    }
}
