package dev.purser.privacy;

import java.util.Locale;

/** The unit whose contribution is protected. */
public sealed interface PrivacyUnit {
    /** The largest number of rows that one unit contributes to any statistic. */
    int maxRows();

    /** The rule by which two values of the column that names the unit are the same. */
    enum IdType {
        /** Values are the same if their characters are: {@code 1} and {@code 01} are two units. */
        TEXT,
        /**
         * Values are the same if they are one integer, however it is written: {@code 1} and {@code 01} are one unit.
         */
        INTEGER;

        /** The name in registrations. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Every row is a unit of its own. */
    record Row() implements PrivacyUnit {
        @Override
        public int maxRows() {
            return 1;
        }
    }

    /**
     * All rows with the same value in a column are one unit. At most {@code maxRows} rows of a unit are kept.
     *
     * @param column the header of the column that names the unit
     * @param maxRows at least 1
     * @param idType when two values of the column are the same
     */
    record Column(String column, int maxRows, IdType idType) implements PrivacyUnit {
        public Column {
            if (maxRows < 1) {
                throw new IllegalArgumentException("maxRows must be at least 1");
            }
        }
    }
}
