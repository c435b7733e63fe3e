package dev.purser.tables;

/** The type of a table's column, as far as reading it requires. */
public enum ColumnType {
    /** Binary integers. */
    INTEGER,
    /** Decimal numbers declared as integers. */
    WHOLE_DECIMAL,
    /** Decimal numbers of any scale. */
    DECIMAL,
    /** Binary fractions, read as the shortest decimal number that represents them. */
    FLOATING,
    /** Text of any length. */
    TEXT,
    /** Truth values, read as the texts {@code true} and {@code false}. */
    BOOLEAN,
    /** Calendar days. */
    DATE,
    /** Days with a time of day and no zone, read as UTC. */
    LOCAL_TIME,
    /** Points in time. */
    INSTANT,
    /** All other types; they are not read. */
    OTHER;

    /** Whether every value is an integer. */
    public boolean isWhole() {
        return this == INTEGER || this == WHOLE_DECIMAL;
    }

    /** Whether every value is a number. */
    public boolean isNumber() {
        return isWhole() || this == DECIMAL || this == FLOATING;
    }

    /** Whether every value is a point in time or a day. */
    public boolean isTime() {
        return this == DATE || this == LOCAL_TIME || this == INSTANT;
    }

    /** Whether every value has one text, in any session settings. */
    public boolean hasText() {
        return this == INTEGER || this == TEXT || this == BOOLEAN;
    }
}
