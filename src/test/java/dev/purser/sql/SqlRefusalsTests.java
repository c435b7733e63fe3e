package dev.purser.sql;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What many people write, the words that the refusal names, and the words that say what to write instead. */
class SqlRefusalsTests extends SqlService {
    private void assertNamed(String sql, String word, String wayOut) throws Exception {
        assertThat(refusal(sql, SURELY)).as(sql).contains(word, wayOut);
        assertThat(entries(dataset)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT * FROM t                                         | rows                     | GROUP BY key
            SELECT age FROM t                                       | was age                  | GROUP BY
            SELECT age + 1 FROM t                                   | was age + 1              | write aggregates
            SELECT DISTINCT age FROM t                              | was age                  | DESCRIBE
            SELECT count(*) + 1 FROM t                              | was count(*) + 1         | COUNT(*), SUM
            SELECT round(avg(age)) FROM t                           | was round(avg(age))      | without arithmetic
            SELECT avg(CAST(age AS double)) FROM t                  | cast(age as double)      | AVG takes one column
            SELECT sum(CASE WHEN age > 3 THEN 1 END) FROM t         | "CASE"                   | conditions in WHERE
            SELECT CASE WHEN age > 3 THEN 1 END, count(*) FROM t    | "CASE"                   | width_bucket
            SELECT "sum(x"(age) FROM t                              | was sum(x(age)           | write aggregates
            SELECT min(age) FROM t                                  | min(age)                 | (column, 0.01)
            SELECT approx_percentile(age, ARRAY[0.1, 0.5]) FROM t   | array[0.1, 0.5]          | once for each
            SELECT count(*) OVER () FROM t                          | "OVER"                   | write GROUP BY
            SELECT count(*) FILTER (WHERE age > 3) FROM t           | "FILTER"                 | in WHERE
            SELECT (SELECT count(*) FROM t) FROM t                  | "SELECT"                 | ask it first
            SELECT n FROM (SELECT count(*) AS n FROM t) WHERE n > 5 | around a SELECT          | in its WHERE or HAVING
            SELECT CAST('abc' AS varchar(2))                        | cut to a length          | varchar without one
            SELECT BOOLEAN 'yes'                                    | "boolean" "yes"          | DATE '2026-01-31'
            SELECT TIMESTAMP '2026-02-30 00:00:00'                  | "2026-02-30 00:00:00"    | TIMESTAMP '2026-01-31
            SELECT 'a' LIKE 'a' ESCAPE '!!'                         | ESCAPE                   | one character
            SET SESSION epsilon = NULL                              | epsilon                  | a decimal such as 0.1
            WITH a AS (SELECT 1) SELECT count(*) FROM a             | "WITH"                   | inner SELECT after FROM
            DROP TABLE t                                            | "DROP"                   | write SELECT
            INSERT INTO t VALUES (1)                                | "INSERT"                 | write SELECT
            START TRANSACTION                                       | "START"                  | leave autocommit on
            SELECT count(*) FROM t; SELECT 1                        | one statement            | by itself
            SHOW TABLES LIKE 'a!_b' ESCAPE '!'                      | ESCAPE                   | the backslash
            """)
    void aStatementSaysWhatToWrite(String sql, String word, String wayOut) throws Exception {
        assertNamed(sql, word, wayOut);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            JOIN t AS other ON true         | "JOIN"             | one dataset at a time
            a LEFT JOIN t b ON a.x = b.x    | "LEFT"             | one dataset at a time
            CROSS JOIN t                    | "CROSS"            | one dataset at a time
            a, t b                          | ","                | one dataset at a time
            UNION SELECT 1                  | "UNION"            | ask each SELECT by itself
            EXCEPT SELECT 1                 | "EXCEPT"           | ask each SELECT by itself
            TABLESAMPLE BERNOULLI (10)      | "TABLESAMPLE"      | leave it out
            WHERE age IN (SELECT 3)         | "SELECT"           | write the value that it returns
            WHERE EXISTS (SELECT 3)         | "EXISTS"           | write the value that it returns
            WHERE age > (SELECT 3)          | "SELECT"           | write the value that it returns
            WHERE age > 3 OR age < 1        | OR is not answered | or ask twice
            WHERE NOT age > 3               | NOT is not answered | the rows that stay
            WHERE age NOT BETWEEN 3 AND 5   | NOT is not answered | ask about both sides
            WHERE age <> 5                  | <>                 | ask about each range by itself
            WHERE age NOT IN (5, 6)         | NOT IN             | BETWEEN, and ask about each range by itself
            WHERE age IN (5, 6)             | IN                 | ask about each range by itself
            WHERE age IS NULL               | IS NULL            | leave the condition out
            WHERE age IS NOT NULL           | IS NULL            | leave the condition out
            WHERE sex LIKE 'M%'             | LIKE               | in IN (…)
            WHERE sex NOT LIKE 'M%'         | LIKE               | in IN (…)
            WHERE sex ILIKE 'M%'            | "ILIKE"            | in IN (…)
            WHERE age + 1 > 3               | was age + 1 > 3    | a column, a sign and a literal
            WHERE lower(sex) = 'male'       | was lower(sex)     | a column, a sign and a literal
            WHERE age > hours               | was age > hours    | a column, a sign and a literal
            WHERE age = 3.3                 | atLeast must be    | atMost must be a multiple
            WHERE age = '3'                 | age of type integer | numbers such as 30
            WHERE CASE WHEN true THEN 1 END | "CASE"             | conditions in WHERE
            GROUP BY age                    | column age         | FLOOR(age / 10) * 10
            GROUP BY ROLLUP (sex)           | was rollup(sex)    | a column of categories
            GROUP BY GROUPING SETS ((sex))  | "SETS"             | as a list
            ORDER BY 1 NULLS FIRST          | "NULLS"            | leave it out
            OFFSET 1                        | "OFFSET"           | write LIMIT
            FETCH FIRST ROW ONLY            | "FETCH"            | write LIMIT
            """)
    void aClauseSaysWhatToWrite(String clause, String word, String wayOut) throws Exception {
        assertNamed("SELECT count(*) FROM t " + clause, word, wayOut);
    }
}
