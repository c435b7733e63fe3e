package dev.purser.tables;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The differences of one kind of database: how a read-only session is opened, the contents of its catalogue, and its
 * SQL for the few expressions that make bucket statistics.
 *
 * <p>Expressions are composed as text: each argument and each result is a name, a call or in brackets.
 *
 * <p>Every expression is total: no value of the stated column type makes it fail, because such a failure would reveal
 * something about the value.
 */
public interface Dialect {
    /** The longest name of a privacy unit, in UTF-8 bytes; equal to the longest field of an upload. */
    long MAX_UNIT_BYTES = 1 << 20;

    /** Opens a read-only session that sees one state of the tables until it is closed. */
    Connection open(String host, int port, ConnectionSettings settings, Duration timeout) throws SQLException;

    /** Why this session must not be used, as a sentence for the operator: its role may write or its server is unfit. */
    Optional<String> objection(Connection session) throws SQLException;

    /**
     * The columns of a table that this session may read, by name, from the public catalogue and not from rows.
     *
     * @return empty if this session has no such table, or if the table does not store its own rows: a view may show one
     *     person in any number of rows
     */
    Map<String, ColumnType> columns(Connection session, TableName table) throws SQLException;

    /** The identifier {@code name}, which may have any characters. */
    Sql identifier(String name);

    /**
     * The exact number of a value: a number itself; a date's days since 1970-01-01; a time's seconds since then, in
     * UTC. NULL for NULL, for values that are not numbers, and for days and times outside the years 1 to 9999.
     *
     * @param column an expression of {@code type}, which is a number or a time
     */
    Sql number(Sql column, ColumnType type);

    /**
     * Numbers on a grid: {@code floor(x / resolution + 1/2)} within bounds, in exact arithmetic.
     *
     * @param number a result of {@link #number}
     * @param missing the integer for NULL
     */
    Sql gridded(Sql number, GridBounds bounds, long missing);

    /**
     * Positions in a list of texts, compared character by character.
     *
     * @param column an expression of {@code type}, which has a text
     * @param missing the position for NULL and for texts that are not listed
     */
    Sql position(Sql column, ColumnType type, List<String> texts, long missing);

    /**
     * A column of privacy unit names, as text that is equal only for equal names. NULL if a row has no name, or a name
     * of more than {@link #MAX_UNIT_BYTES}.
     */
    Sql unitName(Sql column, ColumnType type);

    /** The number of the ascending {@code edges} that are at most {@code value}. */
    Sql bucket(Sql value, long[] edges);

    /** The exact sum of integers within 2^40 of zero, for any number of rows. */
    Sql sum(Sql integers);

    /** The exact sum of the squares of integers within 2^40 of zero, for up to 2^46 rows. */
    Sql sumOfSquares(Sql integers);

    /** A keyed hash of a text and of integers that are never NULL. */
    Sql keyedHash(byte[] key, Sql text, List<Sql> integers);

    /** Binds a parameter of one of the kinds that {@link Sql} has. */
    void bind(PreparedStatement statement, int index, Object parameter) throws SQLException;

    /**
     * A grid and the bounds of its column, in the column's own unit.
     *
     * @param resolution the resolution; like the bounds, it has at most 18 digits before and 18 after the point
     * @param lowerSteps the lower bound in grid steps
     * @param upperSteps the upper bound in grid steps
     * @param lower the lower bound as a number
     * @param upper the upper bound as a number
     */
    record GridBounds(BigDecimal resolution, long lowerSteps, long upperSteps, BigDecimal lower, BigDecimal upper) {}
}
