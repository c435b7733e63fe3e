package dev.purser.tables;

import dev.purser.store.StartupRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One named connection of the configuration. A new session is opened for each question. Its role is checked each time,
 * and the time to open it is negligible compared with reading a table.
 */
public final class TableConnection {
    private static final Logger LOG = LoggerFactory.getLogger(TableConnection.class);
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}]");
    private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    private final String name;
    private final ConnectionSettings settings;
    private final Dialect dialect;
    private final int port;
    private final Semaphore sessions;

    /** @throws StartupRefusal if a setting is missing or out of range; the text does not repeat its value */
    TableConnection(String name, ConnectionSettings settings) {
        this.name = name;
        this.settings = settings;
        ConnectionSettings.Type type = requireType(settings.type());
        require("host", HOST.matcher(settings.host()).matches(), "a host name or address");
        require("database", DATABASE.matcher(settings.database()).matches(), "of letters, digits, '_', '-' and '.'");
        require("user", !settings.user().isEmpty(), "the name of a role");
        port = settings.port() == null ? type.usualPort() : settings.port();
        dialect = type.dialect();
        sessions = new Semaphore(settings.maxSessions(), true);
    }

    private ConnectionSettings.Type requireType(ConnectionSettings.@Nullable Type type) {
        if (type == null) {
            throw refusal("type", "one of the databases that can be read");
        }
        return type;
    }

    private void require(String property, boolean holds, String rule) {
        if (!holds) {
            throw refusal(property, rule);
        }
    }

    private StartupRefusal refusal(String property, String rule) {
        return new StartupRefusal(
                "purser.connections." + name + "." + property + " is missing or invalid. It must be " + rule + ".",
                "Correct the setting, or remove the connection.");
    }

    /**
     * Opens a session as soon as fewer than the permitted number are open.
     *
     * @param timeout the time for each statement, and for waiting
     * @throws SQLException if no session is available in time, or its role is unsuitable
     */
    public TableSession open(Duration timeout) throws SQLException {
        acquire(timeout);
        try {
            return new TableSession(connect(timeout), dialect, sessions);
        } catch (SQLException | RuntimeException failure) {
            sessions.release();
            throw failure;
        }
    }

    private void acquire(Duration timeout) throws SQLException {
        try {
            if (!sessions.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new TableNotReadException("no session became free in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a session", e);
        }
    }

    private Connection connect(Duration timeout) throws SQLException {
        Connection connection = dialect.open(settings.host(), port, settings, timeout);
        try {
            Optional<String> objection = dialect.objection(connection);
            if (objection.isPresent()) {
                throw new UnfitConnectionException(name, objection.orElseThrow());
            }
            return connection;
        } catch (SQLException | RuntimeException failure) {
            connection.close();
            throw failure;
        }
    }

    /**
     * Tries the connection at start. An unreachable server may become available later, so its failure is only logged;
     * no row has been read.
     *
     * @throws StartupRefusal if the server can be reached and must not be used
     */
    void check(Duration timeout) {
        try {
            open(timeout).close();
        } catch (UnfitConnectionException unfit) {
            throw new StartupRefusal(
                    unfit.getMessage(), "Use a role and a server that are fit: see docs/operating.md.", unfit);
        } catch (SQLException failure) {
            LOG.warn("connection {} is not available: {}", name, failure.getMessage());
        }
    }
}
