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
 * What one kind of database differs in: how a read-only session is opened, what its catalogue says, and its words for the few
 * expressions that bucket statistics are made of.
 *
 * <p>Expressions are put together by text: one that is given is a name, a call or in brackets, and so is what is returned.
 *
 * <p>Every expression is total: no value that a column of the stated type can hold makes it fail, for then a failure would tell
 * of the value.
 */
public interface Dialect {
    /** The longest name of a privacy unit, in UTF-8; as the longest field of an upload. */
    long MAX_UNIT_BYTES = 1 << 20;

    /** Opens a session that can only read, and that sees one state of the tables until it is closed. */
    Connection open(String host, int port, ConnectionSettings settings, Duration timeout) throws SQLException;

    /** Why this session is not to be used, as a sentence for the operator: its role may write, or its server is not fit. */
    Optional<String> objection(Connection session) throws SQLException;

    /**
     * The columns of a table that this session may read, by name; from the public catalogue, not from rows.
     *
     * @return empty if there is no such table for this session, or it is none that stores its rows: a view may show one person
     *     in any number of rows
     */
    Map<String, ColumnType> columns(Connection session, TableName table) throws SQLException;

    /** The identifier {@code name}, whatever characters it has. */
    Sql identifier(String name);

    /**
     * The exact number that a value stands for: a number itself; the days of a date since 1970-01-01; the seconds of a time since
     * then, in UTC. NULL for NULL, for what is no number, and for days and times outside the years 1 to 9999.
     *
     * @param column an expression of {@code type}, which is a number or a time
     */
    Sql number(Sql column, ColumnType type);

    /**
     * Numbers on a grid: {@code floor(x / resolution + 1/2)} within bounds, in exact arithmetic.
     *
     * @param number as {@link #number} gives it
     * @param missing the integer for NULL
     */
    Sql gridded(Sql number, GridBounds bounds, long missing);

    /**
     * Positions in a list of texts, compared letter for letter.
     *
     * @param column an expression of {@code type}, which has a text
     * @param missing the position for NULL and for what is not in the list
     */
    Sql position(Sql column, ColumnType type, List<String> texts, long missing);

    /**
     * A column that names privacy units, as text that is equal for equal names only; NULL where a row has no name, or one of more than
     * {@link #MAX_UNIT_BYTES}.
     */
    Sql unitName(Sql column, ColumnType type);

    /** How many of the ascending {@code edges} are at most {@code value}. */
    Sql bucket(Sql value, long[] edges);

    /** The exact sum of integers within 2^40 of zero, of any number of rows. */
    Sql sum(Sql integers);

    /** A keyed hash of a text and of integers that are never NULL. */
    Sql keyedHash(byte[] key, Sql text, List<Sql> integers);

    /** Binds a parameter of the kinds that {@link Sql} has. */
    void bind(PreparedStatement statement, int index, Object parameter) throws SQLException;

    /**
     * A grid and the bounds of its column, in the column's own unit.
     *
     * @param resolution as the bounds, of at most 18 digits before the point and 18 behind it
     * @param lowerSteps the lower bound in grid steps
     * @param upperSteps the upper bound in grid steps
     * @param lower the lower bound as a number
     * @param upper the upper bound as a number
     */
    record GridBounds(BigDecimal resolution, long lowerSteps, long upperSteps, BigDecimal lower, BigDecimal upper) {}
}
