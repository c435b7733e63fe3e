package dev.purser.dataset;

import java.util.Arrays;
import java.util.Locale;

/** The state of a dataset between its registration and its deletion. */
public enum DatasetState {
    /** Registered, no data yet. */
    REGISTERED,
    /** An upload is being read. */
    LOADING,
    /** The data is in place; questions can be asked. */
    READY,
    /** The last upload was refused or interrupted. Nothing of it is stored, and another may be sent. */
    FAILED,
    /** The data is permanently deleted. The id is never used again. */
    DELETED;

    /** The name in the database, and in answers to the dataset's custodian and to administrators. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The name in an answer. The rows decide whether an upload failed, so only an owner sees this. Everybody else sees
     * whether there is data to ask about.
     */
    public String shownTo(boolean owner) {
        return owner || this == READY ? label() : "not-ready";
    }

    static DatasetState ofLabel(String label) {
        return Arrays.stream(values())
                .filter(state -> state.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown dataset state in the database"));
    }
}
