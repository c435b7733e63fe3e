package dev.purser.dataset;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.tables.ColumnType;
import dev.purser.tables.TableConnection;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableNotReadException;
import dev.purser.tables.TableSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Checks registrations that name a table against the database's public catalogue. No row is read, so the result reveals
 * nothing about rows.
 */
@Component
class TableSources {
    private static final Logger LOG = LoggerFactory.getLogger(TableSources.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final TableConnections connections;

    TableSources(TableConnections connections) {
        this.connections = connections;
    }

    /** Whether the connection of {@code table} is configured here. */
    boolean isConnected(Source.Table table) {
        return connections.find(table.connection()).isPresent();
    }

    /**
     * Checks the source of a registration.
     *
     * @throws ProblemException {@code validation-failed} if the connection, the table or a column does not exist, or a
     *     column cannot be read as registered; {@code temporarily-unavailable} if the database does not answer
     */
    void check(Registration registration) {
        if (registration.source() instanceof Source.Table table) {
            TableConnection connection = connections
                    .find(table.connection())
                    .orElseThrow(() -> refused(
                            "/source/connection",
                            "there is no connection \"" + table.connection() + "\" in the service's configuration"));
            Map<String, ColumnType> columns = columns(connection, table);
            if (columns.isEmpty()) {
                throw refused(
                        "/source/table",
                        "there is no table \"" + table.table()
                                + "\" of the connection's database that stores its own rows (no view, nothing foreign,"
                                + " no row policies) and whose columns the connection may read");
            }
            TableFit.violations(registration, columns).throwIfAny();
        }
    }

    private static Map<String, ColumnType> columns(TableConnection connection, Source.Table table) {
        try (TableSession session = connection.open(TIMEOUT)) {
            return session.columns(table.table());
        } catch (SQLException failure) {
            LOG.error(
                    "the catalogue of connection {} cannot be read: {}",
                    table.connection(),
                    TableNotReadException.loggable(failure));
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "The connection \"" + table.connection() + "\" does not work at present; nothing was registered.");
        }
    }

    private static ProblemException refused(String pointer, String detail) {
        return ProblemException.validation(Violation.atPointer(pointer, detail));
    }
}
