package dev.purser.dataset.ingest;

import java.io.IOException;

/** The parser of an upload died, was stopped, or does not keep to the form of its answer. Says nothing of why. */
final class ParserFailure extends IOException {
    private static final long serialVersionUID = 1L;

    ParserFailure() {
        super("the parser of an upload failed");
    }
}
