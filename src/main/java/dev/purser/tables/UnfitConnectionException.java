package dev.purser.tables;

import java.sql.SQLException;

/** A connection that works and must not be used. */
final class UnfitConnectionException extends SQLException {
    private static final long serialVersionUID = 1L;

    private final String sentence;

    UnfitConnectionException(String name, String objection) {
        sentence = "The connection " + name + " is not used: " + objection + ".";
    }

    /** What is wrong, for the operator; nothing of the data. */
    @Override
    public String getMessage() {
        return sentence;
    }
}
