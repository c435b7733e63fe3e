package dev.purser.tables;

import java.sql.SQLException;
import java.util.regex.Pattern;

/** The reason for not reading a table, for the operator. No row has been read. */
public class TableNotReadException extends SQLException {
    private static final long serialVersionUID = 1L;

    private static final Pattern CODE = Pattern.compile("[0-9A-Z]{5}");

    private final String reason;

    /** @param reason contains nothing of the data */
    public TableNotReadException(String reason) {
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return reason;
    }

    /**
     * The loggable part of a failure: the reason of an exception of this class, otherwise the exception's class and a
     * database's error code. Other messages quote values.
     */
    public static String loggable(Throwable failure) {
        return switch (failure) {
            case TableNotReadException told -> told.reason;
            case SQLException other
            when other.getSQLState() != null
                    && CODE.matcher(other.getSQLState()).matches() ->
                other.getClass().getName() + ", SQLSTATE " + other.getSQLState();
            default -> failure.getClass().getName();
        };
    }
}
