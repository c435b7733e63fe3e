package dev.purser.sql;

/** A statement is refused. The refusal says what to write instead. It has only facts that were sent or are public. */
public final class SqlRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Error error;

    /** The errors of Trino that its clients know, with their codes. */
    public enum Error {
        GENERIC_USER_ERROR(0),
        SYNTAX_ERROR(1),
        NOT_FOUND(5),
        NOT_SUPPORTED(13),
        INVALID_SESSION_PROPERTY(14),
        SCHEMA_NOT_FOUND(45),
        TABLE_NOT_FOUND(46),
        COLUMN_NOT_FOUND(47),
        TYPE_MISMATCH(58);

        private final int code;

        Error(int code) {
            this.code = code;
        }

        /** The number of the error in Trino's protocol. */
        public int code() {
            return code;
        }
    }

    SqlRefusal(Error error, String detail) {
        // A refusal is an answer, not a failure, so it has no stack trace.
        super(detail, null, false, false);
        this.error = error;
    }

    /** A statement that is well-formed, but no question answers it. */
    static SqlRefusal unsupported(String detail) {
        return new SqlRefusal(Error.NOT_SUPPORTED, detail);
    }

    /** A statement that cannot be read. */
    static SqlRefusal malformed(String detail) {
        return new SqlRefusal(Error.SYNTAX_ERROR, detail);
    }

    /** A statement that is well-formed, but cannot run in this session, or would take too much memory or time. */
    static SqlRefusal failed(String detail) {
        return new SqlRefusal(Error.GENERIC_USER_ERROR, detail);
    }

    /** The sentence. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    public Error error() {
        return error;
    }
}
