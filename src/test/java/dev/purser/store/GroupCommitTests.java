package dev.purser.store;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import static dev.purser.problem.Refusals.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The writer on a connection whose commits can be made to fail. */
class GroupCommitTests {
    @TempDir
    Path folder;

    private final AtomicInteger commitsTried = new AtomicInteger();
    private volatile @Nullable SQLiteErrorCode commitFailure;
    private Connection connection;
    private GroupCommit writer;

    @BeforeEach
    void open() throws SQLException {
        Sqlite sqlite = new Sqlite(folder.resolve("test.db"));
        connection = sqlite.openWriter();
        writer = new GroupCommit(sqlite, failing(connection), MacKey.drawn(), Duration.ofMillis(300));
        writer.start();
        write("CREATE TABLE note (id INTEGER PRIMARY KEY) STRICT");
    }

    @AfterEach
    void close() throws SQLException {
        writer.close();
        connection.close();
    }

    private int write(String sql) {
        return writer.write(Database.NO_ACCOUNT, transaction -> transaction.update(sql));
    }

    @Test
    void afterAFailedFsyncNothingIsEverWrittenAgain() {
        commitFailure = SQLiteErrorCode.SQLITE_IOERR_FSYNC;
        assertUnavailable("INSERT INTO note VALUES (1)");
        int tried = commitsTried.get();

        commitFailure = null;
        assertUnavailable("INSERT INTO note VALUES (2)");

        assertThat(writer.isWritable()).isFalse();
        assertThat(commitsTried).hasValue(tried);
    }

    @Test
    void afterAFullDiskWritingGoesOn() {
        commitFailure = SQLiteErrorCode.SQLITE_FULL;
        assertUnavailable("INSERT INTO note VALUES (1)");

        commitFailure = null;
        assertThat(write("INSERT INTO note VALUES (1)")).isEqualTo(1);
        assertThat(writer.isWritable()).isTrue();
    }

    @Test
    void anInputOutputErrorInsideAWorkStopsWritingToo() {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> writer.<Integer>write(Database.NO_ACCOUNT, transaction -> {
                    // A module that wraps what it catches would throw it like this.
                    throw new IllegalStateException(new SQLiteException("", SQLiteErrorCode.SQLITE_IOERR_READ));
                }));

        assertThat(writer.isWritable()).isFalse();
        assertUnavailable("INSERT INTO note VALUES (1)");
    }

    /**
     * A refusal may depend on what a neighbour in the group wrote. If that is undone, the refusal must not be sent
     * either.
     */
    @Test
    void aRefusalWaitsForTheCommitAsWell() {
        commitFailure = SQLiteErrorCode.SQLITE_FULL;

        refusedAs(
                ProblemType.TEMPORARILY_UNAVAILABLE,
                () -> writer.<Integer>write(Database.NO_ACCOUNT, transaction -> {
                    throw ProblemException.of(ProblemType.BUDGET_EXHAUSTED, "exhausted");
                }));
    }

    @Test
    void aCallerDoesNotWaitForeverForAStuckWriter() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Thread stuck = Thread.startVirtualThread(() -> writer.<Integer>write(Database.NO_ACCOUNT, transaction -> {
            begun.countDown();
            DatabaseContract.await(over);
            return 0;
        }));
        begun.await();
        long start = System.nanoTime();
        try {
            assertUnavailable("INSERT INTO note VALUES (1)");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        } finally {
            over.countDown();
        }
        stuck.join();
        // The write whose caller heard nothing was done all the same.
        assertThat(write("INSERT OR IGNORE INTO note VALUES (1)")).isZero();
    }

    private void assertUnavailable(String sql) {
        assertThat(refusedAs(ProblemType.TEMPORARILY_UNAVAILABLE, () -> write(sql))
                        .retryAfter())
                .isPresent();
    }

    private Connection failing(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object value = call(real, method, arguments);
                    return value instanceof PreparedStatement statement && "COMMIT".equals(arguments[0])
                            ? failingCommit(statement)
                            : value;
                });
    }

    /** As with the driver, a COMMIT that met a full disk never runs again. */
    private PreparedStatement failingCommit(PreparedStatement real) {
        AtomicBoolean spoilt = new AtomicBoolean();
        return (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("execute")) {
                        commitsTried.incrementAndGet();
                        SQLiteErrorCode failure = commitFailure;
                        if (spoilt.get()) {
                            throw new SQLException("statement is not executing");
                        }
                        if (failure != null) {
                            spoilt.set(true);
                            throw new SQLiteException("injected", failure);
                        }
                    }
                    return call(real, method, arguments);
                });
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getTargetException();
        }
    }
}
