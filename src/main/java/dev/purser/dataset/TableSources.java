package dev.purser.dataset;

import dev.purser.privacy.PrivacyUnit;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.problem.Violations;
import dev.purser.tables.ColumnType;
import dev.purser.tables.TableConnection;
import dev.purser.tables.TableConnections;
import dev.purser.tables.TableSession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Holds registrations that name a table against the database's public catalogue. Rows are never looked at: whether a
 * registration is taken says nothing about them.
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
     * @throws ProblemException {@code validation-failed} if connection, table or a column is not there, or a column cannot be
     *     read as it is registered; {@code temporarily-unavailable} if the database does not answer
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
                        "there is no table \"" + table.table() + "\" (no view) whose columns the connection may read");
            }
            checkColumns(registration, columns);
        }
    }

    private static Map<String, ColumnType> columns(TableConnection connection, Source.Table table) {
        try (TableSession session = connection.open(TIMEOUT)) {
            return session.columns(table.table());
        } catch (SQLException failure) {
            LOG.error(
                    "the catalogue of connection {} cannot be read: {}",
                    table.connection(),
                    failure.getClass().getName());
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "The connection \"" + table.connection() + "\" does not work now; nothing was registered.");
        }
    }

    private static void checkColumns(Registration registration, Map<String, ColumnType> types) {
        Violations violations = new Violations();
        int position = 0;
        for (Column column : registration.columns()) {
            String pointer = "/columns/" + position++;
            ColumnType type = types.get(column.name());
            if (type == null) {
                violations.add(Violation.atPointer(
                        pointer + "/name", "the table has no column \"" + column.name() + "\" that may be read"));
            } else {
                rule(column, type).ifPresent(rule -> violations.add(Violation.atPointer(pointer + "/type", rule)));
            }
        }
        if (registration.privacyUnit() instanceof PrivacyUnit.Column(String unit, int maxRows)) {
            ColumnType type = types.get(unit);
            if (type == null || !type.hasText()) {
                violations.add(Violation.atPointer(
                        "/privacyUnit/column",
                        "the table must have a column \"" + unit + "\" of integers, text or truth values"));
            }
        }
        violations.throwIfAny();
    }

    /** The rule that reading a column of {@code type} as {@code column} would break. */
    private static Optional<String> rule(Column column, ColumnType type) {
        return switch (column) {
            case Column.Numeric numeric ->
                switch (numeric.type()) {
                    case INTEGER ->
                        broken(
                                type.isWhole(),
                                "an integer column is read from integers, or decimals without a fraction");
                    case DECIMAL -> broken(type.isNumber(), "a decimal column is read from numbers");
                };
            case Column.Category category ->
                broken(type.hasText(), "a category column is read from text, integers or truth values");
        };
    }

    private static Optional<String> broken(boolean holds, String rule) {
        return holds ? Optional.empty() : Optional.of(rule + ", and the table's column is another");
    }

    private static ProblemException refused(String pointer, String detail) {
        return ProblemException.validation(Violation.atPointer(pointer, detail));
    }
}
