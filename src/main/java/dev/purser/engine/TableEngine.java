package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.FingerprintSecret;
import dev.purser.dataset.Source;
import dev.purser.dataset.TableFit;
import dev.purser.ledger.CommittedDebit;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.problem.Violations;
import dev.purser.tables.ColumnType;
import dev.purser.tables.Sql;
import dev.purser.tables.TableConnection;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableNotReadException;
import dev.purser.tables.TableSession;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers from a table in another party's database, in its state at the time of the question.
 *
 * <p>The database puts values on the grid and within their bounds, as an upload does, and groups them into buckets; see
 * {@link TableQuery}. It sends one row per non-empty bucket of a group, so memory depends on the public keys and edges
 * and not on the table. All passes of a question see one state of the table, except on Trino.
 *
 * <p>If the dataset has blocks, every pass is over the rows of the blocks that paid, whatever its filter is.
 *
 * <p>A table can only have the relation {@code add-or-remove-one}, under which no sensitivity depends on the number of
 * rows. A table that outgrows {@code maxRows} is therefore read as a whole. Sums have 128 bits here, and 38 decimal
 * digits or more in the database. Every failure becomes one problem with one text.
 */
public final class TableEngine implements DataEngine {
    private static final Logger LOG = LoggerFactory.getLogger(TableEngine.class);

    private final TableConnections connections;
    private final FingerprintSecret secret;
    private final Duration timeout;

    /**
     * @param secret ranks the rows of privacy units; always the same for one ledger, because another ranking would show
     *     other rows of a unit
     * @param timeout the time for all passes of one question
     */
    public TableEngine(TableConnections connections, FingerprintSecret secret, Duration timeout) {
        this.connections = connections;
        this.secret = secret;
        this.timeout = timeout;
    }

    @Override
    public Sensitive<List<Buckets>> collect(CommittedDebit debit, Dataset dataset, List<BucketRequest> requests) {
        Optional<TableBlocks> paid = PaidBlocks.of(debit, dataset)
                .map(window -> TableBlocks.of(dataset.blockColumn().orElseThrow(), window));
        List<Buckets.Builder> builders =
                requests.stream().map(BucketRequest::builder).toList();
        List<TablePass> passes = TablePass.of(dataset, within(paid, requests), builders);
        try {
            run(dataset, paid, passes);
            return Sensitive.of(builders.stream().map(Buckets.Builder::build).toList());
        } catch (SQLException | RuntimeException | LinkageError e) {
            throw Unanswered.because(e, dataset, LOG);
        }
    }

    /** The requests, restricted to the rows of the blocks that paid. */
    private static List<BucketRequest> within(Optional<TableBlocks> paid, List<BucketRequest> requests) {
        return paid.map(TableBlocks::window)
                .map(window ->
                        requests.stream().map(request -> request.within(window)).toList())
                .orElse(requests);
    }

    private void run(Dataset dataset, Optional<TableBlocks> paid, List<TablePass> passes) throws SQLException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Source.Table source = source(dataset);
        TableConnection connection = connections.find(source.connection()).orElseThrow();
        try (TableSession session = connection.open(timeout)) {
            Map<String, ColumnType> types = session.columns(source.table());
            requireFit(dataset, source, types);
            TableQuery query = new TableQuery(
                    session.dialect(), dataset, source.table(), types, secret.rankingKey(dataset.id()), paid);
            for (TablePass pass : passes) {
                collect(session, query.of(pass), pass, deadline);
            }
        }
    }

    /**
     * Refuses a table that does not fit any more: it may have been altered, or replaced by a view. A failure at a row
     * would otherwise reveal this.
     */
    private static void requireFit(Dataset dataset, Source.Table source, Map<String, ColumnType> types)
            throws TableNotReadException {
        Violations violations = TableFit.violations(dataset.registration(), types);
        if (!violations.isEmpty()) {
            throw new TableNotReadException("the table " + source.table() + " of connection " + source.connection()
                    + " is not what was registered: " + violations.summary());
        }
    }

    private static Source.Table source(Dataset dataset) {
        return switch (dataset.registration().source()) {
            case Source.Table table -> table;
            case Source.Upload upload -> throw new IllegalArgumentException("a dataset without a table");
        };
    }

    private static void collect(TableSession session, Sql sql, TablePass pass, long deadline) throws SQLException {
        try (PreparedStatement statement = session.connection().prepareStatement(sql.text())) {
            for (int i = 0; i < sql.parameters().size(); i++) {
                session.dialect().bind(statement, i + 1, sql.parameters().get(i));
            }
            statement.setQueryTimeout(secondsUntil(deadline));
            try (ResultSet buckets = statement.executeQuery()) {
                while (buckets.next()) {
                    pass.add(
                            buckets.getInt(1),
                            buckets.getInt(2),
                            buckets.getLong(3),
                            exact(buckets.getBigDecimal(4)),
                            exact(buckets.getBigDecimal(5)));
                }
            }
        }
    }

    private static int secondsUntil(long deadline) throws SQLException {
        long nanos = deadline - System.nanoTime();
        if (nanos <= 0) {
            throw new TableNotReadException("out of time");
        }
        return Math.toIntExact(Duration.ofNanos(nanos).toSeconds()) + 1;
    }

    private static BigInteger exact(BigDecimal sum) {
        return sum.toBigIntegerExact();
    }
}
