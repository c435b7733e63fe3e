package dev.purser.engine;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.Source;

/** The hand-written list of all engines that read rows, with the datasets that each serves. */
public final class DataEngines {
    private final DataEngine uploads;
    private final DataEngine tables;

    /**
     * @param uploads serves the datasets with uploaded rows
     * @param tables serves the datasets whose rows are in a table
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
