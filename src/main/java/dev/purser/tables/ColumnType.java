package dev.purser.tables;

/** What a column of a table holds, as far as it matters for reading it. */
public enum ColumnType {
    /** Binary integers. */
    INTEGER,
    /** Decimal numbers that are integers by their declaration. */
    WHOLE_DECIMAL,
    /** Decimal numbers of any scale. */
    DECIMAL,
    /** Binary fractions, read as the shortest decimal number that stands for them. */
    FLOATING,
    /** Text of any length. */
    TEXT,
    /** Truth values, read as the texts {@code true} and {@code false}. */
    BOOLEAN,
    /** Days of the calendar. */
    DATE,
    /** Days with a time of day and no zone, read as UTC. */
    LOCAL_TIME,
    /** Points in time. */
    INSTANT,
    /** Anything else. It is not read. */
    OTHER;

    /** Whether every value is an integer. */
    public boolean isWhole() {
        return this == INTEGER || this == WHOLE_DECIMAL;
    }

    /** Whether every value is a number. */
    public boolean isNumber() {
        return isWhole() || this == DECIMAL || this == FLOATING;
    }

    /** Whether every value is a point in time, or a day. */
    public boolean isTime() {
        return this == DATE || this == LOCAL_TIME || this == INSTANT;
    }

    /** Whether every value has one text, whatever the settings of the session. */
    public boolean hasText() {
        return this == INTEGER || this == TEXT || this == BOOLEAN;
    }
}
