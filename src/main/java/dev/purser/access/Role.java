package dev.purser.access;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The purpose of a key. */
public enum Role {
    /** Everything. */
    ADMINISTRATOR,
    /** Registers datasets, uploads their data and sets budgets. Asks no questions. */
    CUSTODIAN,
    /** Asks about granted datasets. */
    ANALYST,
    /** Sees granted datasets and stored answers, and spends nothing. It is the role of a dashboard's key. */
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
