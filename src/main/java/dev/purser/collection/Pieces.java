package dev.purser.collection;

import dev.purser.admission.AdmissionControl;
import dev.purser.admission.Turns;
import dev.purser.store.Database;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/**
 * Writes batches in pieces, so that a batch does not occupy the ledger's writer. A piece is a transaction. The next
 * piece is passed to the writer when the piece before is durable, so other transactions can come in between. At any
 * time, the writer has at most {@link #MAX} reports of all batches together.
 *
 * <p>A batch is sorted as a whole before it is cut. Each piece then changes neighbouring pages of the table of ids. All
 * pieces together change no more pages than one transaction would.
 *
 * <p>If a collection is closed while a batch is being written, the batch is still finished. If the service stops
 * between two pieces, the first pieces are counted. If the batch is sent again, their reports are duplicates.
 */
@Component
class Pieces {
    /** The most reports of a piece. docs/performance.md has the reason. */
    static final int MAX = 2_000;

    /** The most sums that the reports of one piece read. Reading them takes some milliseconds. */
    private static final int MOST_STEPS = 1 << 23;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Database database;
    private final Clock clock;
    private final Turns turns = new Turns(MAX, MAX);

    Pieces(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** How many reports a piece has if each report reads all sums, or changes a share of them. */
    static int mostOfAllSums(int sums) {
        return Math.min(MAX, MOST_STEPS / sums);
    }

    /** Writes one piece. */
    @FunctionalInterface
    interface Step<R, T> {
        /** Runs in the piece's transaction, possibly more than once. */
        T run(StoreConnection transaction, Reports<R> piece) throws SQLException;
    }

    /**
     * Writes a batch.
     *
     * @param together how many reports a piece has, at most {@link #MAX}
     * @param durable receives what {@code step} returned for each piece, after its commit
     * @throws dev.purser.problem.ProblemException {@code collection-closed} if the collection was closed before the
     *     first piece, or deleted; {@code temporarily-unavailable}
     */
    <R, T> void write(
            StoredCollection collection, Reports<R> batch, int together, Step<R, T> step, Consumer<T> durable) {
        boolean begun = false;
        for (Reports<R> piece : batch.pieces(together)) {
            boolean first = !begun;
            durable.accept(inTurn(collection, piece, transaction -> {
                if (first) {
                    CollectionTable.requireOpen(transaction, collection, now());
                } else {
                    CollectionTable.requireThere(transaction, collection);
                }
                return step.run(transaction, piece);
            }));
            begun = true;
        }
    }

    private <T> T inTurn(StoredCollection collection, Reports<?> piece, Database.Work<T> work) {
        try (Turns.Lease turn =
                turns.take(collection.id(), piece.keys().size(), PATIENCE).orElseThrow(AdmissionControl::busy)) {
            return database.write(collection.id(), work);
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
