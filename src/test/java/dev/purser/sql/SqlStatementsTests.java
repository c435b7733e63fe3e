package dev.purser.sql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Which statements are answered and which are refused, and that a refused one costs nothing. */
class SqlStatementsTests extends SqlService {
    private static final List<String> ANSWERED = List.of(
            "SELECT count(*) FROM t",
            "select COUNT(*) from purser.main. t as x where x.\"sex\" = 'Male';",
            "SELECT sex FROM t GROUP BY sex LIMIT 1000",
            "SELECT DISTINCT sex AS s FROM t ORDER BY s DESC",
            "SELECT var_pop(age), stddev_pop(hours), sum(age) FROM t",
            "SELECT approx_percentile(hours, 0.25), approx_percentile(hours, 0.75) FROM t",
            "SELECT TRUE AS \"_\" FROM t WHERE 1 <> 1 LIMIT 0",
            "SELECT * FROM t WHERE 1 = 0",
            "SELECT * FROM (SELECT * FROM t LIMIT 0) v",
            "SELECT version()",
            "SELECT current_timezone() as \"time-zone\"",
            "SELECT 1",
            "SHOW CATALOGS",
            "SHOW SCHEMAS FROM \"purser\"",
            "SHOW TABLES FROM main LIKE 'd%'",
            "SHOW COLUMNS FROM t",
            "SHOW SESSION",
            "SHOW CREATE VIEW anything.at.all",
            "SHOW FUNCTIONS",
            "DESCRIBE t",
            "USE purser.main",
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY table_name",
            "SELECT * FROM information_schema.views",
            "SELECT a.b FROM system.metadata.unknown a JOIN system.jdbc.types b ON a.x = b.y",
            "SELECT * FROM main.\"t$partitions\"",
            "SELECT CAST(NULL AS varchar) TABLE_CAT, CAST(NULL AS smallint) KEY_SEQ WHERE false",
            "CALL system.runtime.kill_query('x')",
            "EXECUTE IMMEDIATE 'SELECT count(*) FROM t WHERE age > ?' USING 30",
            "PREPARE one FROM SELECT count(*) FROM t",
            "EXPLAIN SELECT count(*) FROM t");

    private static final List<String> REFUSED = List.of(
            "SELECT * FROM t",
            "SELECT * FROM t LIMIT 100",
            "SELECT age FROM t",
            "SELECT DISTINCT age FROM t",
            "SELECT age, count(*) FROM t GROUP BY age",
            "SELECT sex, count(*) FROM t",
            "SELECT sum(age + 1) FROM t",
            "SELECT sum(CASE WHEN sex = 'Male' THEN 1 ELSE 0 END) FROM t",
            "SELECT avg(CAST(age AS double)) FROM t",
            "SELECT sum(DISTINCT age) FROM t",
            "SELECT count(age) FROM t",
            "SELECT count(DISTINCT sex) FROM t",
            "SELECT min(age) FROM t",
            "SELECT median(age) FROM t",
            "SELECT avg(sex) FROM t",
            "SELECT count(*) FILTER (WHERE age > 3) FROM t",
            "SELECT count(*) OVER () FROM t",
            "SELECT count(*) * 2 FROM t",
            "SELECT count(*) FROM t WHERE age > 3 OR sex = 'Male'",
            "SELECT count(*) FROM t WHERE NOT age > 3",
            "SELECT count(*) FROM t WHERE age + 1 > 3",
            "SELECT count(*) FROM t WHERE sex LIKE 'M%'",
            "SELECT count(*) FROM t WHERE age IS NOT NULL",
            "SELECT count(*) FROM t WHERE age IN (SELECT age FROM t)",
            "SELECT count(*) FROM t WHERE age <> 3",
            "SELECT count(*) FROM t WHERE sex = 'Other'",
            "SELECT count(*) FROM t WHERE nothing = 3",
            "SELECT count(*) FROM t WHERE age = '3'",
            "SELECT count(*), approx_percentile(age, 0.5) FROM t",
            "SELECT count(*) FROM t, t",
            "SELECT count(*) FROM t JOIN t AS other ON true",
            "SELECT count(*) FROM t UNION SELECT count(*) FROM t",
            "WITH a AS (SELECT 1) SELECT count(*) FROM a",
            "SELECT count(*) FROM t GROUP BY GROUPING SETS ((sex))",
            "SELECT count(*) FROM t TABLESAMPLE BERNOULLI (10)",
            "SELECT count(*) FROM other.main.t",
            "SELECT count(*) FROM t GROUP BY floor(age / 0.0001) * 0.0001",
            "DROP TABLE t",
            "INSERT INTO t VALUES (1)",
            "START TRANSACTION",
            "SELECT count(*) FROM t; SELECT 1",
            "EXECUTE IMMEDIATE 'SELECT count(*) FROM t WHERE age > ?' USING 30 + 1",
            "EXECUTE IMMEDIATE 'SELECT ?' USING 1, 2");

    @Test
    void whatIsListedIsAnsweredAndTheRestSaysWhy() throws Exception {
        for (String sql : ANSWERED) {
            assertThat(run(sql, "epsilon=0.001").has("error")).as(sql).isFalse();
        }
        int asked = entries(dataset);
        assertThat(asked).isEqualTo(1 + 5);
        for (String sql : REFUSED) {
            JsonNode reply = run(sql, "epsilon=0.001");
            assertThat(reply.at("/error/message").asString()).as(sql).hasSizeGreaterThan(20);
            assertThat(reply.at("/error/errorType").asString()).isEqualTo("USER_ERROR");
        }
        assertThat(entries(dataset)).isEqualTo(asked);
    }

    private void fuzz(int statements, long seed) throws Exception {
        SqlFuzz fuzz = new SqlFuzz(seed, List.of(ANSWERED, REFUSED));
        for (int i = 0; i < statements; i++) {
            String sql = fuzz.next();
            JsonNode reply = run(sql, "epsilon=0.000001");
            assertThat(reply.has("data") != reply.has("error")).as(sql).isTrue();
            boolean isQuestion = reply.get("id").asString().matches("[0-9A-Z]{26}");
            if (isQuestion) {
                JsonNode answer = shown("/v1/queries/" + reply.get("id").asString());
                assertThat(answer.at("/question/epsilon").asString()).as(sql).isEqualTo("0.000001");
                assertThat(answer.get("kind").asString()).isIn("aggregate", "quantile");
            }
        }
        JsonNode charged =
                shown("/v1/datasets/" + dataset + "/ledger?limit=1000").get("items");
        assertThat(charged.valueStream()
                        .map(entry -> entry.get("question").toString())
                        .distinct()
                        .count())
                .as("every charge is of another question")
                .isEqualTo(charged.size());
    }

    @ParameterizedTest
    @ValueSource(longs = 1)
    void damagedStatementsAreRefused(long seed) throws Exception {
        fuzz(80, seed);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5})
    void manyDamagedStatementsAreRefused(long seed) throws Exception {
        fuzz(25_000, seed);
    }
}
