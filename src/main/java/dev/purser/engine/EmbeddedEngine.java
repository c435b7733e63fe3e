package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.RowsDatabase;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers from uploaded rows, which lie in one DuckDB file per dataset, already on the grid and within their bounds.
 *
 * <p>Each pass is one statement, {@code SELECT cN, count(*) … GROUP BY cN}, streamed into buckets: the work depends on the rows,
 * not on the number of edges, and requests on the same column and filter share a pass. The statement's text is made from column
 * positions and the shape of the filter; every value is a bound parameter.
 *
 * <p>Whatever goes wrong between here and the rows (a file that is gone, a full disk, too little memory, too much time) becomes
 * one problem with one text. The log gets the class of the failure and the dataset's id: a database's messages quote values.
 */
public final class EmbeddedEngine implements DataEngine, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedEngine.class);

    private final OpenDatabases databases;
    private final Duration timeout;
    private final ScheduledExecutorService watchdog = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("engine-timeout").factory());

    /**
     * @param limits of each open database
     * @param maxOpen how many databases stay open between questions
     * @param timeout for all passes of one question
     */
    public record Settings(RowsDatabase.Limits limits, int maxOpen, Duration timeout) {
        public static final Settings DEFAULT =
                new Settings(new RowsDatabase.Limits(128, 2), 4, Duration.ofSeconds(120));

        public Settings {
            if (maxOpen < 1 || !timeout.isPositive()) {
                throw new IllegalArgumentException("at least one open database and some time are needed");
            }
        }
    }

    public EmbeddedEngine(DatasetFiles files, Settings settings) {
        databases = new OpenDatabases(files, settings.limits(), settings.maxOpen());
        timeout = settings.timeout();
    }

    @Override
    public Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests) {
        Objects.requireNonNull(debit, "rows are read for a committed debit only");
        List<Buckets.Builder> builders =
                requests.stream().map(request -> Buckets.over(request.edges())).toList();
        Map<Pass, List<Buckets.Builder>> passes = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            passes.computeIfAbsent(Pass.of(requests.get(i)), pass -> new ArrayList<>())
                    .add(builders.get(i));
        }
        Map<Query, List<Buckets.Builder>> queries = new LinkedHashMap<>();
        passes.forEach((pass, into) -> queries.put(Query.of(dataset, pass.column(), pass.filter()), into));
        run(dataset, queries);
        return Sensitive.of(builders.stream().map(Buckets.Builder::build).toList());
    }

    /** What requests have in common that can share a pass. */
    private record Pass(@Nullable Column column, Filter filter) {
        private static Pass of(BucketRequest request) {
            return new Pass(request.column(), request.filter());
        }
    }

    private void run(Dataset dataset, Map<Query, List<Buckets.Builder>> queries) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try (OpenDatabases.Lease lease = databases.borrow(dataset.id())) {
            for (Map.Entry<Query, List<Buckets.Builder>> query : queries.entrySet()) {
                try (PreparedStatement statement = lease.prepare(query.getKey().sql())) {
                    collect(statement, query.getKey(), query.getValue(), deadline);
                }
            }
        } catch (SQLException | IOException | RuntimeException | LinkageError e) {
            throw Unanswered.because(e, dataset, LOG);
        }
    }

    private void collect(PreparedStatement statement, Query query, List<Buckets.Builder> into, long deadline)
            throws SQLException {
        for (int i = 0; i < query.parameters().size(); i++) {
            statement.setLong(i + 1, query.parameters().get(i));
        }
        // The timer stands until the last row was fetched: results are computed while they are streamed.
        ScheduledFuture<?> timer = watchdog.schedule(
                () -> cancel(statement), Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        try (ResultSet groups = statement.executeQuery()) {
            while (groups.next()) {
                long value = groups.getLong(1);
                long count = groups.getLong(2);
                into.forEach(builder -> builder.add(value, count));
            }
            if (timer.isDone()) {
                throw new SQLException("out of time");
            }
        } finally {
            timer.cancel(false);
        }
    }

    private static void cancel(PreparedStatement statement) {
        try {
            statement.cancel();
        } catch (SQLException e) {
            LOG.error(
                    "a pass that is out of time could not be cancelled: {}",
                    e.getClass().getName());
        }
    }

    /** Closes the dataset's file, once nothing reads it any more, for good. To be called before the file is deleted. */
    public void forget(String datasetId) {
        databases.forget(datasetId);
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
        databases.close();
    }
}
