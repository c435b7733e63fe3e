package dev.purser.access;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The purpose of a key. */
public enum Role {
    /** Everything. */
    ADMINISTRATOR,
    /** Registers datasets, uploads their data and sets budgets; asks no questions. */
    CUSTODIAN,
    /** Asks about granted datasets. */
    ANALYST,
    /** Sees granted datasets and the answers that are stored; spends nothing: the key of a dashboard. */
    VIEWER,
    /** Sends reports of local-privacy collections. */
    COLLECTOR,
    /** Reads ledgers. */
    AUDITOR,
    /** Reads health and metrics. */
    OPERATOR;

    /** The name in requests, answers and rows. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The role with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Role ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}
