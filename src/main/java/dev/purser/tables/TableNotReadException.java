package dev.purser.tables;

import java.sql.SQLException;
import java.util.regex.Pattern;

/** Why a table is not read, for the operator. No row has been looked at. */
public class TableNotReadException extends SQLException {
    private static final long serialVersionUID = 1L;

    private static final Pattern CODE = Pattern.compile("[0-9A-Z]{5}");

    private final String reason;

    /** @param reason nothing of the data */
    public TableNotReadException(String reason) {
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return reason;
    }

    /**
     * What can be logged of a failure: its reason, if it is one of these; otherwise its class, and of a database's the code that it gave,
     * for messages quote values.
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
