package dev.purser.upload;

import java.io.IOException;

/** The sender of an upload stopped sending. */
final class SenderFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final IOException cause;

    SenderFailure(IOException cause) {
        super(cause);
        this.cause = cause;
    }

    IOException cause() {
        return cause;
    }
}
