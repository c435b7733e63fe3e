package dev.purser.tables;

/** A connection that works but must not be used. */
final class UnfitConnectionException extends TableNotReadException {
    private static final long serialVersionUID = 1L;

    UnfitConnectionException(String name, String objection) {
        super("The connection " + name + " is not used: " + objection + ".");
    }
}
