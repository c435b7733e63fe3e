package dev.purser.access;

import java.util.Arrays;

/** The purpose of a key. */
public enum Role {
    /** Everything. */
    ADMINISTRATOR("administrator"),
    /** Registers datasets, uploads their data and sets budgets; asks no questions. */
    CUSTODIAN("custodian"),
    /** Asks about granted datasets. */
    ANALYST("analyst"),
    /** Sees granted datasets and the answers that are stored; spends nothing: the key of a dashboard. */
    VIEWER("viewer"),
    /** Sends reports of local-privacy collections. */
    COLLECTOR("collector"),
    /** Reads ledgers. */
    AUDITOR("auditor"),
    /** Reads health and metrics. */
    OPERATOR("operator");

    private final String label;

    Role(String label) {
        this.label = label;
    }

    /** The name in requests and answers. */
    public String label() {
        return label;
    }

    /**
     * The role with this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Role ofLabel(String label) {
        return Arrays.stream(values())
                .filter(role -> role.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no role " + label));
    }
}
