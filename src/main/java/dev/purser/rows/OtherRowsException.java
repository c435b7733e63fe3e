package dev.purser.rows;

import java.io.IOException;

/** A sound file with wrong rows: the rows of another dataset, or of an older or later upload. */
public final class OtherRowsException extends IOException {
    private static final long serialVersionUID = 1;

    public OtherRowsException(String message) {
        super(message);
    }
}
