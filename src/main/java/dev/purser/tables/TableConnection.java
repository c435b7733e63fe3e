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
 * One named connection of the configuration. Every session is one of its own, opened for one question: its role is asked anew
 * what it may do, and beside reading a table, opening a session is nothing.
 */
public final class TableConnection {
    private static final Logger LOG = LoggerFactory.getLogger(TableConnection.class);
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}]");
    private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final int MAX_SESSIONS = 64;

    private final String name;
    private final ConnectionSettings settings;
    private final Dialect dialect;
    private final int port;
    private final Semaphore sessions;

    /** @throws StartupRefusal if a setting is missing or out of range; its value is not repeated */
    TableConnection(String name, ConnectionSettings settings) {
        this.name = name;
        this.settings = settings;
        ConnectionSettings.Type type = requireType(settings.type());
        require("host", HOST.matcher(settings.host()).matches(), "a host name or address");
        require("database", DATABASE.matcher(settings.database()).matches(), "letters, digits, '_', '-' and '.'");
        require("user", !settings.user().isEmpty(), "the name of a role");
        port = settings.port() == null ? type.usualPort() : settings.port();
        require("port", port >= 1 && port <= 65_535, "1 to 65535");
        require(
                "max-sessions",
                settings.maxSessions() >= 1 && settings.maxSessions() <= MAX_SESSIONS,
                "1 to " + MAX_SESSIONS);
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
                "purser.connections." + name + "." + property + " is missing or not what it must be: " + rule + ".",
                "Correct the setting, or remove the connection.");
    }

    /**
     * Opens a session, once fewer than the permitted number are open.
     *
     * @param timeout of each statement, and for waiting
     * @throws SQLException if there is none in time, or its role is not fit to be used
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
     * Tries the connection at start. A server that cannot be reached may come later, and what is wrong with it is logged: it has
     * not read a row.
     *
     * @throws StartupRefusal if it can be reached and must not be used
     */
    void check(Duration timeout) {
        try {
            open(timeout).close();
        } catch (UnfitConnectionException unfit) {
            throw new StartupRefusal(
                    unfit.getMessage(), "Give it a role and a server that are fit: see docs/operating.md.", unfit);
        } catch (SQLException failure) {
            LOG.warn("connection {} does not work now: {}", name, failure.getMessage());
        }
    }
}
