package dev.purser.rows;

import java.io.IOException;

/** Rows that could not be written, or not be read back, through no fault of who sent them. */
public final class RowsNotWritten extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param cause what the file system said */
    public RowsNotWritten(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
