package dev.purser.store;

import java.sql.SQLException;

/** A statement failed for a reason that the client cannot know or correct. */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageException(SQLException cause) {
        super(cause);
    }
}
