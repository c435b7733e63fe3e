package dev.purser.store;

import java.sql.SQLException;

/** A statement failed for a reason the sender of a request cannot know or mend. */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StorageException(SQLException cause) {
        super(cause);
    }
}
