package dev.purser.sql;

import java.util.Collections;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A short statement cannot take much memory or time, and is refused before it is charged. */
class SqlLimitsTests extends SqlService {
    private static final String COUNT = "SELECT count(*) FROM t";

    private static String times(int count, String item) {
        return String.join(", ", Collections.nCopies(count, item));
    }

    @Test
    void starsWithinStarsAreCountedBeforeTheyAreColumns() throws Exception {
        String stars = times(1_000, "*");
        String around = "SELECT " + stars + " FROM (SELECT " + stars + " FROM (SELECT " + stars + " FROM (";
        for (String inner : new String[] {COUNT, "SELECT 1", "SELECT * FROM t LIMIT 0"}) {
            String nested = around + inner + ")))";
            assertThat(refusal(nested, SURELY)).contains("at most 2000 columns", "list those that you need");
            assertThat(refusal("EXPLAIN " + nested, SURELY)).contains("at most 2000 columns");
        }
        assertThat(refusal("SELECT " + stars + " FROM system.jdbc.columns", "")).contains("has 24000: list");
        assertThat(refusal("SELECT " + times(700, "count(*)") + " FROM t", SURELY + ",intervals=true"))
                .contains("has 2100: list");
        assertThat(entries(dataset)).isEqualTo(1);
    }
}
