package dev.purser.privacy;

/** The unit whose contribution is protected. */
public sealed interface PrivacyUnit {
    /** The largest number of rows that one unit contributes to any statistic. */
    int maxRows();

    /** Every row is a unit of its own. */
    record Row() implements PrivacyUnit {
        @Override
        public int maxRows() {
            return 1;
        }
    }

    /**
     * All rows with the same value of a column are one unit, of which at most {@code maxRows} rows are kept.
     *
     * @param column the header of the column that names the unit
     * @param maxRows at least 1
     */
    record Column(String column, int maxRows) implements PrivacyUnit {
        public Column {
            if (maxRows < 1) {
                throw new IllegalArgumentException("maxRows must be at least 1");
            }
        }
    }
}
