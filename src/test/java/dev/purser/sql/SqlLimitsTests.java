package dev.purser.sql;

import java.util.Collections;
import org.junit.jupiter.api.Test;

import static dev.purser.json.JsonText.quoted;
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

    @Test
    void theValuesOfAReplyAreCountedBeforeTheCharge() throws Exception {
        String groups = "SELECT %s FROM t GROUP BY floor(age / 1) * 1, floor(hours / 2) * 2";
        String wide = groups.formatted(times(4, "count(*)"));
        assertThat(refusal(wide, SURELY)).contains("at most 20000 values, and 6426 rows of 4", "write a LIMIT");
        assertThat(refusal("SELECT *, *, *, * FROM (" + groups.formatted("count(*)") + ")", SURELY))
                .contains("6426 rows of 4 columns");
        assertThat(refusal(groups.formatted("count(*), count(*)"), SURELY + ",intervals=true"))
                .contains("6426 rows of 6 columns");
        assertThat(refusal("EXPLAIN " + wide, "")).contains("6426 rows of 4 columns");
        assertThat(entries(dataset)).isEqualTo(1);
        assertThat(run("SELECT *, *, * FROM (" + wide + " LIMIT 10)", SURELY)
                        .get("data")
                        .size())
                .isEqualTo(10);
    }

    @Test
    void tablesOfNamesAreNotEmptyBecauseTheyAreLong() throws Exception {
        String all = times(80, "*");
        for (int i = 0; i < 4; i++) {
            dataset("1", ROWS);
        }
        assertThat(refusal("SELECT " + all + " FROM system.jdbc.columns", "")).contains("at most 20000 values");
        assertThat(run("SELECT " + all + " FROM system.jdbc.columns LIMIT 2", "")
                        .get("data")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void patternsAndConditionsAreBounded() throws Exception {
        assertThat(refusal("SELECT 'a' LIKE '" + "%".repeat(1_001) + "'", "")).contains("at most 1000 characters");
        assertThat(refusal("SELECT '" + "a".repeat(1_001) + "' LIKE '%b'", "")).contains("at most 1000 characters");
        assertThat(refusal("SHOW TABLES LIKE '" + "%".repeat(1_001) + "'", "")).contains("at most 1000 characters");
        String many = "1 = 1" + " OR 1 = 1".repeat(600);
        String groups = "SELECT count(*) FROM t GROUP BY floor(age / 1) * 1, floor(hours / 2) * 2 HAVING ";
        assertThat(refusal(groups + many, SURELY)).contains("too many for 6426 rows: write fewer or shorter");
        assertThat(refusal(
                        "SELECT sex, count(*) FROM t GROUP BY sex HAVING sex LIKE '" + "a".repeat(1_001) + "'", SURELY))
                .contains("at most 1000 characters");
        assertThat(entries(dataset)).isEqualTo(1);
        assertThat(rows("SELECT sex, count(*) FROM t GROUP BY sex HAVING sex LIKE 'Fem%'", SURELY))
                .isEqualTo("[[Female,5]]");
    }

    @Test
    void keysOfOrderWordsAndHeadersAreBounded() throws Exception {
        String order = "SELECT sex, count(*) FROM t GROUP BY sex ORDER BY ";
        assertThat(refusal(order + times(51, "sex"), SURELY)).contains("at most 50 keys, this has 51");
        assertThat(refusal(order + times(5_000, "sex"), SURELY)).contains("at most 50 keys");
        assertThat(refusal("SELECT " + "(".repeat(20_001), "")).contains("at most 20000 words and signs");
        assertThat(refusal("PREPARE p FROM SELECT '" + "<".repeat(2_000) + "'", ""))
                .contains("6000", "has 60");
        assertThat(refusal("DEALLOCATE PREPARE " + "p".repeat(6_001), "")).contains("6000", "has 6001");
        assertThat(rows("PREPARE p FROM SELECT '" + "<".repeat(1_900) + "'", ""))
                .isEqualTo("[[true]]");
        assertThat(entries(dataset)).isEqualTo(1);
    }

    /** A value that is compared several times is computed once, at every level. */
    @Test
    void conditionsWithinConditionsTakeTimeByTheirLength() throws Exception {
        String nested = "1 = 1";
        for (int level = 0; level < 19; level++) {
            nested = "((" + nested + ") IN (FALSE, TRUE, NULL)) BETWEEN FALSE AND TRUE";
        }
        assertThat(rows("SELECT 1 WHERE " + nested, "")).isEqualTo("[[1]]");
        assertThat(rows("SELECT sex, count(*) FROM t GROUP BY sex HAVING " + nested + " LIMIT 1", SURELY))
                .isEqualTo("[[Female,5]]");
    }

    @Test
    void chainsWithinParenthesesDoNotEndTheStack() throws Exception {
        String deep = "age";
        for (int level = 0; level < 38; level++) {
            deep = "(" + deep + " * 1".repeat(40) + " + 1".repeat(40) + ")";
        }
        assertThat(refusal("SELECT " + deep + " FROM t", SURELY)).contains("at most 200 signs of arithmetic");
        assertThat(refusal(
                        "SELECT " + "(".repeat(37) + "age" + " + 1".repeat(200) + ")".repeat(37) + " FROM t", SURELY))
                .contains("rows are not shown");
    }

    @Test
    void manyKeysOfManyGroupsTakeNoMemory() throws Exception {
        String id = registered(quoted("""
                        [{'name':'at','type':'timestamp','lower':'2026-01-01T00:00:00Z','upper':'2026-03-01T00:00:00Z'}]\
                        """), "1", "add-or-remove-one", "");
        String minutes = "SELECT date_trunc('minute', at), count(*) FROM " + id + " GROUP BY ";
        assertThat(refusal(minutes + times(50, "1"), SURELY)).contains("at most 20000 values");
        assertThat(refusal(minutes + times(9_000, "1"), SURELY)).contains("GROUP BY may have at most 50 keys");
        String hours = "SELECT count(*) FROM " + id + " GROUP BY date_trunc('hour', at) HAVING ";
        String many = "date_trunc('minute', at) IS NULL" + " OR date_trunc('minute', at) IS NULL".repeat(1_500);
        assertThat(refusal(hours + many, SURELY)).contains("must be in GROUP BY");
    }
}
