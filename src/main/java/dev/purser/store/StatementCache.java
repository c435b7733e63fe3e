package dev.purser.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the prepared statements of one connection for the next work. SQLite compiles a statement together with every trigger
 * and rule it touches, which for a debit takes longer than running it.
 *
 * <p>A statement is lent to one user at a time: whoever prepares a text that is in use gets another statement. Closing a lent
 * statement closes its result and forgets its parameters. Used by one thread at a time, like the connection.
 */
final class StatementCache implements InvocationHandler {
    private static final int MAX_KEPT = 100;

    private final Connection connection;
    private final SequencedMap<String, PreparedStatement> idle = new LinkedHashMap<>();

    private StatementCache(Connection connection) {
        this.connection = connection;
    }

    /** The same connection, except that {@code prepareStatement(String)} looks here first. */
    static Connection over(Connection connection) {
        return proxy(Connection.class, new StatementCache(connection));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("prepareStatement") && arguments != null && arguments.length == 1) {
            return lend((String) arguments[0]);
        }
        return call(connection, method, arguments);
    }

    private PreparedStatement lend(String sql) throws SQLException {
        PreparedStatement kept = idle.remove(sql);
        PreparedStatement statement = kept == null ? connection.prepareStatement(sql) : kept;
        return proxy(PreparedStatement.class, new Lent(sql, statement));
    }

    private void takeBack(String sql, PreparedStatement statement) throws SQLException {
        statement.clearParameters();
        PreparedStatement other = idle.put(sql, statement);
        if (other != null) {
            other.close();
        } else if (idle.size() > MAX_KEPT) {
            idle.pollFirstEntry().getValue().close();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        }
    }

    /** A statement in somebody's hands. */
    private final class Lent implements InvocationHandler {
        private final String sql;
        private final PreparedStatement statement;
        private @Nullable ResultSet result;
        private boolean closed;

        private Lent(String sql, PreparedStatement statement) {
            this.sql = sql;
            this.statement = statement;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            switch (method.getName()) {
                case "close" -> {
                    close();
                    return null;
                }
                case "isClosed" -> {
                    return closed;
                }
                default -> {
                    if (closed) {
                        throw new SQLException("the statement is closed");
                    }
                    Object value = call(statement, method, arguments);
                    if (value instanceof ResultSet rows) {
                        result = rows;
                    }
                    return value;
                }
            }
        }

        private void close() throws SQLException {
            if (closed) {
                return;
            }
            closed = true;
            if (result != null) {
                result.close();
            }
            takeBack(sql, statement);
        }
    }
}
