package dev.purser.engine;

import dev.purser.dataset.Dataset;

/** Every engine that reads rows, and which dataset it serves. Written by hand: this is the page that lists them. */
public final class DataEngines {
    private final DataEngine uploads;

    /** @param uploads serves the datasets whose rows were uploaded */
    public DataEngines(DataEngine uploads) {
        this.uploads = uploads;
    }

    /** The engine that reads the rows of {@code dataset}. */
    public DataEngine serving(Dataset dataset) {
        // Uploads are the only source so far.
        return uploads;
    }
}
