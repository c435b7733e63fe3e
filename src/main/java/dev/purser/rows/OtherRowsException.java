package dev.purser.rows;

import java.io.IOException;

/** A sound file of rows that are not those of the dataset: another dataset's, or an older or later upload's. */
public final class OtherRowsException extends IOException {
    private static final long serialVersionUID = 1;

    public OtherRowsException(String message) {
        super(message);
    }
}
