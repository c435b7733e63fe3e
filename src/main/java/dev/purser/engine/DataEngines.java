package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.Source;

/** Every engine that reads rows, and which dataset it serves. Written by hand: this is the page that lists them. */
public final class DataEngines {
    private final DataEngine uploads;
    private final DataEngine tables;

    /**
     * @param uploads serves the datasets whose rows were uploaded
     * @param tables serves the datasets whose rows are a table's
     */
    public DataEngines(DataEngine uploads, DataEngine tables) {
        this.uploads = uploads;
        this.tables = tables;
    }

    /** The engine that reads the rows of {@code dataset}. */
    public DataEngine serving(Dataset dataset) {
        return switch (dataset.registration().source()) {
            case Source.Upload upload -> uploads;
            case Source.Table table -> tables;
        };
    }
}
