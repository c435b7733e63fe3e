package dev.purser.sql;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Statements over HTTP: what they return, what they are charged, and who may send them. */
class SqlOverHttpTests extends SqlService {
    private static final String BY_SEX = "SELECT sex, count(*) AS people, avg(hours) FROM t GROUP BY sex";

    @Test
    void aSelectIsTheSameQuestionAsThatOfTheApi() throws Exception {
        JsonNode reply = run(BY_SEX, "epsilon=0.5");

        assertThat(reply.get("columns").toString())
                .contains("\"name\":\"sex\"", "\"type\":\"varchar\"", "\"name\":\"people\"", "\"name\":\"_col2\"");
        assertThat(reply.has("nextUri")).isFalse();
        assertThat(spent(dataset)).isEqualTo("0.5");
        JsonNode asked = answered(dataset, "aggregate", """
                {"epsilon":"0.5","groupBy":[{"column":"sex"}],"reuse":true,
                 "aggregates":[{"count":{}},{"mean":{"column":"hours"}}]}""");
        assertThat(asked.get("queryId")).isEqualTo(reply.get("id"));
        assertThat(asked.at("/charge/epsilon").asString()).isEqualTo("0");
        for (int i = 0; i < 3; i++) {
            JsonNode group = asked.at("/answer/groups").get(i);
            JsonNode row = reply.get("data").get(i);
            assertThat(row.get(0)).isEqualTo(group.at("/key/0/category"));
            for (int value = 0; value < 2; value++) {
                assertThat(row.get(value + 1).decimalValue())
                        .isEqualByComparingTo(
                                group.at("/values/" + value + "/value").decimalValue());
            }
        }
    }

    @Test
    void theSameStatementAgainCostsNothing() throws Exception {
        JsonNode first = run(BY_SEX, "epsilon=0.5");
        assertThat(run(BY_SEX.toLowerCase() + " -- once more", "epsilon=0.50").get("data"))
                .isEqualTo(first.get("data"));
        assertThat(spent(dataset)).isEqualTo("0.5");
        assertThat(entries(dataset)).isEqualTo(2);
    }

    @Test
    void whatComesAfterTheNoiseIsFree() throws Exception {
        String counts = "SELECT sex, count(*) AS people FROM t GROUP BY sex";
        assertThat(rows(counts, SURELY)).isEqualTo("[[Female,5],[Male,3],[,0]]");
        assertThat(rows(counts + " HAVING count(*) BETWEEN 1 AND 4 OR sex = ''", SURELY))
                .isEqualTo("[[Male,3],[,0]]");
        assertThat(rows(counts + " ORDER BY people DESC LIMIT 1", SURELY)).isEqualTo("[[Female,5]]");
        assertThat(rows(counts + " ORDER BY 2, sex LIMIT 2", SURELY)).isEqualTo("[[,0],[Male,3]]");
        assertThat(rows("SELECT people AS n FROM (" + counts + ") AS v ORDER BY people", SURELY))
                .isEqualTo("[[0],[3],[5]]");
        assertThat(rows("SELECT * FROM (" + counts + ") LIMIT 2", SURELY)).isEqualTo("[[Female,5],[Male,3]]");
        assertThat(spent(dataset)).isEqualTo("100");
    }

    @Test
    void conditionsAndKeysHaveTheirUsualMeaning() throws Exception {
        assertThat(rows("SELECT count(*) FROM t WHERE sex <> 'Male' AND age >= 30 AND 50 > age", SURELY))
                .isEqualTo("[[5]]");
        assertThat(rows("SELECT count(*) FROM t WHERE sex NOT IN ('Male', '') AND hours BETWEEN 10 AND 30", SURELY))
                .isEqualTo("[[0]]");
        assertThat(rows("SELECT floor(age / 50) * 50, count(*) FROM t GROUP BY 1", SURELY))
                .isEqualTo("[[0,8],[50,0],[100,0]]");
        assertThat(rows("SELECT width_bucket(age, ARRAY[30, 60]) AS b, count(*) FROM t GROUP BY b ORDER BY b", SURELY))
                .isEqualTo("[[0,3],[1,5],[2,0]]");
        assertThat(rows("SELECT approx_percentile(age, 0.5) FROM t WHERE sex = 'Female'", SURELY))
                .isEqualTo("[[40]]");
    }

    @Test
    void intervalsFollowTheirAggregates() throws Exception {
        JsonNode reply = run(
                "SELECT sex, count(*) AS n FROM t GROUP BY sex ORDER BY 2 DESC LIMIT 1", SURELY + ",intervals=true");
        assertThat(reply.get("columns")
                        .valueStream()
                        .map(column -> column.get("name").asString()))
                .containsExactly("sex", "n", "n_low", "n_high");
        assertThat(reply.get("data").toString()).isEqualTo("[[\"Female\",5,5,5]]");
    }

    @Test
    void withoutEpsilonTheMostPreciseStoredAnswerIsShown() throws Exception {
        String count = "SELECT count(*) FROM t";
        assertThat(refusal(count, ""))
                .contains("SET SESSION epsilon = '0.1'", "with epsilon ", "within 5 % of its range");
        run(count, "epsilon=0.001");
        JsonNode best = run(count, "epsilon=20");
        run(count, "epsilon=0.2");
        run(count, "epsilon=90,beta=0.1");

        assertThat(run(count, "").get("id")).isEqualTo(best.get("id"));
        assertThat(run(count, "max_age=3600").get("id")).isEqualTo(best.get("id"));
        assertThat(spent(dataset)).isEqualTo("110.201");
    }

    /** A longer stored question cannot be the same. It is not read to its end. */
    @Test
    void aLongerQuestionThatIsStoredIsNotTheSame() throws Exception {
        String count = "SELECT count(*) FROM t WHERE age < 5";
        JsonNode asked = run(count, "epsilon=2");
        run(count + " AND age < 6".repeat(15), "epsilon=3");
        assertThat(run(count, "").get("id")).isEqualTo(asked.get("id"));
        assertThat(spent(dataset)).isEqualTo("5");
    }

    @Test
    void explainIsTheQuoteAndChargesNothing() throws Exception {
        String quote = rows("EXPLAIN SELECT sex, count(*) FROM t GROUP BY sex", "epsilon=0.5");
        assertThat(quote).contains("charge.epsilon: 0.5", "affordable: true", "accuracy.alpha: ");
        assertThat(rows("EXPLAIN " + BY_SEX, "")).contains("epsilon: ");
        assertThat(entries(dataset)).isEqualTo(1);
    }

    @Test
    void aViewerReadsAndSpendsNothing() throws Exception {
        String viewer = keyFor("viewer", "['" + dataset + "']");
        assertThat(runAs(viewer, BY_SEX, "epsilon=0.5").at("/error/errorName").asString())
                .isEqualTo("NOTHING_STORED");
        assertThat(runAs(viewer, BY_SEX, "epsilon=0.5,spend=true")
                        .at("/error/errorName")
                        .asString())
                .isEqualTo("FORBIDDEN");
        JsonNode asked = run(BY_SEX, "epsilon=0.5");
        assertThat(runAs(viewer, BY_SEX, "epsilon=0.5").get("data")).isEqualTo(asked.get("data"));
        assertThat(runAs(viewer, BY_SEX, "").get("data")).isEqualTo(asked.get("data"));
        assertThat(spent(dataset)).isEqualTo("0.5");
        assertProblem(403, "forbidden", statement(keyFor("auditor", "['*']"), BY_SEX, ""));
    }

    /** The refusal has the same words whether or not a dataset exists that the key does not see. */
    @Test
    void whatIsHiddenIsAsWhatIsMissing() throws Exception {
        String ana = keyFor("analyst", "[]");
        String hidden = runAs(ana, "SELECT count(*) FROM t", "epsilon=1")
                .at("/error/message")
                .asString();
        String missing = runAs(ana, "SELECT count(*) FROM nothing", "epsilon=1")
                .at("/error/message")
                .asString();
        assertThat(hidden).isEqualTo(missing.replace("nothing", dataset)).contains("there is no table");
        assertThat(runAs(ana, "SHOW TABLES", "").get("data").size()).isZero();
        assertThat(rows("SHOW TABLES FROM purser.main LIKE '" + dataset + "'", ""))
                .isEqualTo("[[" + dataset + "]]");
        assertThat(rows("SHOW TABLES FROM information_schema", "")).isEqualTo("[]");
        assertThat(rows("SHOW SCHEMAS FROM purser", "")).isEqualTo("[[information_schema],[main]]");
        assertThat(rows("SHOW SCHEMAS LIKE 'ma%'", "")).isEqualTo("[[main]]");
        assertThat(rows("SHOW CATALOGS", "")).isEqualTo("[[purser]]");
        assertThat(runAs(ana, "SELECT * FROM information_schema.columns", "")
                        .get("data")
                        .size())
                .isZero();
    }

    @Test
    void theKeyCanBeAPasswordOrACredentialAtThisAddressAlone() throws Exception {
        String basic = "Basic " + Base64.getEncoder().encodeToString(("ana:" + key()).getBytes(StandardCharsets.UTF_8));
        for (String[] header :
                new String[][] {{"Authorization", basic}, {"X-Trino-Extra-Credential", "key=" + key()}}) {
            assertStatus(200, sendAs("", "POST", "/v1/statement", BodyPublishers.ofString("SELECT 1"), header));
            assertStatus(200, sendAs("", "HEAD", "/v1/statement", BodyPublishers.noBody(), header));
            assertStatus(401, sendAs("", "GET", "/v1/datasets", BodyPublishers.noBody(), header));
            String[] behindProxy = {header[0], header[1], "X-Forwarded-Prefix", "/privacy"};
            assertStatus(200, sendAs("", "HEAD", "/v1/statement", BodyPublishers.noBody(), behindProxy));
            assertStatus(401, sendAs("", "GET", "/v1/datasets", BodyPublishers.noBody(), behindProxy));
        }
        assertStatus(401, sendAs("", "HEAD", "/v1/statement", BodyPublishers.noBody()));
        assertStatus(
                401,
                sendAs(
                        key(),
                        "POST",
                        "/v1/statement",
                        BodyPublishers.ofString("SELECT 1"),
                        "X-Trino-Extra-Credential",
                        "key=" + key()));
        assertStatus(401, sendAs("", "HEAD", "/v1/statement", BodyPublishers.noBody(), "Authorization", "Basic ?"));
        assertStatus(204, send("DELETE", "/v1/statement/some-id", ""));
        assertThat(json(assertStatus(200, sendAs("", "GET", "/v1/info", BodyPublishers.noBody())))
                        .at("/nodeVersion/version")
                        .asString())
                .isEqualTo(SqlStatements.VERSION);
    }

    @Test
    void sessionPropertiesAreSetByStatements() throws Exception {
        HttpResponse<String> set = statement(key(), "SET SESSION epsilon = '0.1'", "");
        assertThat(set.headers().firstValue("X-Trino-Set-Session")).hasValue("epsilon=0.1");
        assertThat(json(set).get("updateType").asString()).isEqualTo("SET SESSION");
        assertThat(statement(key(), "RESET SESSION epsilon", "").headers().firstValue("X-Trino-Clear-Session"))
                .hasValue("epsilon");
        assertThat(statement(key(), "SET SESSION beta = 0.0000001", "")
                        .headers()
                        .firstValue("X-Trino-Set-Session"))
                .hasValue("beta=0.0000001");
        assertThat(rows("SHOW SESSION LIKE 'be%'", "beta=0.1"))
                .startsWith("[[beta,0.1,,")
                .doesNotContain("],[");
        assertThat(refusal("SET SESSION epsilom = '0.1'", "")).contains("the nearest is \"epsilon\"");
        assertThat(refusal("SELECT 1", "join_distribution_type=AUTOMATIC")).contains("there is no session property");
        assertThat(refusal("SELECT count(*) FROM t", "epsilon=1e3")).contains("epsilon");
        assertThat(refusal("SELECT count(*) FROM t", "epsilon=0.1,delta=0.5")).contains("delta");
    }

    /** The Python client sends an empty header if no property is set. */
    @Test
    void theHeaderOfTheSessionCanBeEmpty() throws Exception {
        HttpResponse<String> reply =
                sendAs(key(), "POST", "/v1/statement", BodyPublishers.ofString("SELECT 1"), "X-Trino-Session", "");
        assertThat(json(reply).get("data").toString()).isEqualTo("[[1]]");
    }

    /** The stored column has exactly this name. The column of the unit has only a similar name. */
    @Test
    void anExactNameIsNotThatOfTheUnit() throws Exception {
        String id = newId();
        String column = "[" + quoted("{'name':'user_id','type':'integer','lower':0,'upper':9}") + "]";
        assertStatus(
                201,
                register(withUnit(
                        registration(id, column, "1", "add-or-remove-one", ""),
                        "{'type':'column','column':'User_Id','maxRows':2,'idType':'text'}")));
        assertThat(refusal("SELECT count(DISTINCT user_id) FROM " + id, "epsilon=1"))
                .contains("COUNT(DISTINCT \"User_Id\")");
    }

    /** A refusal after the noise would depend on the noise, and the question would be charged for nothing. */
    @Test
    void whatIsWrongAfterTheNoiseIsRefusedBeforeTheCharge() throws Exception {
        String counts = "SELECT sex, count(*) AS n FROM t GROUP BY sex";
        for (String wrong : new String[] {
            counts + " HAVING sex > 3",
            counts + " HAVING count(*) > 3 OR n + 1 > 2",
            counts + " ORDER BY 3",
            counts + " ORDER BY lower(sex)",
            "SELECT other FROM (" + counts + ")",
            "SELECT n FROM (" + counts + ") WHERE n > 3",
            "SELECT sum(n) FROM (" + counts + ")",
            "SELECT sex FROM (" + counts + ") GROUP BY sex",
            "SELECT x.sex FROM (" + counts + ") y",
            "SELECT x.sex FROM (" + counts + ")",
            "SELECT n FROM (SELECT sex AS n, count(*) AS n FROM t GROUP BY sex)",
            "SELECT sex AS n, count(*) AS n FROM t GROUP BY sex ORDER BY n"
        }) {
            refusal(wrong, SURELY);
        }
        assertThat(rows("SELECT * FROM (" + counts + ") LIMIT 0", SURELY)).isEqualTo("[]");
        assertThat(entries(dataset)).isEqualTo(1);
        assertThat(rows("SELECT y.n FROM (" + counts + ") y ORDER BY y.n LIMIT 1", SURELY))
                .isEqualTo("[[0]]");
        assertThat(rows("SELECT count(*) AS n, sex AS \"N\" FROM t GROUP BY sex ORDER BY \"N\"", SURELY))
                .isEqualTo("[[0,],[5,Female],[3,Male]]");
    }

    @Test
    void aDatasetThatIsNotReadyAndAnEmptyBudgetAreErrorsOfTheQuestion() throws Exception {
        String unready = unready("pure", "1", "0", "add-or-remove-one");
        assertThat(run("SELECT count(*) FROM " + unready, "epsilon=1")
                        .at("/error/errorName")
                        .asString())
                .isEqualTo("DATASET_NOT_READY");
        String poor = dataset("0.1", ROWS);
        assertThat(run("SELECT count(*) FROM " + poor, "epsilon=1")
                        .at("/error/errorName")
                        .asString())
                .isEqualTo("BUDGET_EXHAUSTED");
        assertThat(spent(poor)).isEqualTo("0");
    }

    /** The allotment of an analyst bounds statements as it bounds questions. What is stored costs nothing. */
    @Test
    void anAllotmentBoundsStatements() throws Exception {
        String count = "SELECT count(*) FROM t";
        String name = newName();
        String analyst = keyFor(name, "analyst", "['" + dataset + "']");
        assertStatus(
                200,
                send(
                        "PUT",
                        "/v1/datasets/" + dataset + "/allotments/" + name,
                        quoted("{'epsilon':'0.25'}"),
                        "Content-Type",
                        "application/json"));
        JsonNode refused = runAs(analyst, count, "epsilon=0.3");
        assertThat(refused.at("/error/errorName").asString()).isEqualTo("BUDGET_EXHAUSTED");
        assertThat(spent(dataset)).isEqualTo("0");
        assertThat(runAs(analyst, count, "epsilon=0.2").get("data").size()).isEqualTo(1);
        assertThat(runAs(analyst, count, "epsilon=0.1").at("/error/errorName").asString())
                .isEqualTo("BUDGET_EXHAUSTED");
        JsonNode byAnother = run(count, "epsilon=0.1");
        assertThat(runAs(analyst, count, "epsilon=0.1").get("id")).isEqualTo(byAnother.get("id"));
        assertThat(spent(dataset)).isEqualTo("0.3");
    }

    @Test
    void deltaIsAPropertyOfTheSession() throws Exception {
        String id = dataset("approximate", "300", "0.01");
        String table =
                "SELECT sex, count(*), avg(hours), var_pop(age) FROM " + id + " GROUP BY floor(age / 1) * 1, sex";
        String session = "epsilon=0.5,beta=0.000001";
        JsonNode gaussian = shown(
                "/v1/queries/" + run(table, session + ",delta=1e-6").get("id").asString());
        assertThat(gaussian.at("/mechanism/name").asString()).isEqualTo("gaussian-table");
        assertThat(gaussian.at("/charge/delta").asString()).isEqualTo("0.000001");
        JsonNode pure = shown("/v1/queries/" + run(table, session).get("id").asString());
        assertThat(pure.at("/charge/delta").asString()).isEqualTo("0");
        assertThat(rows("EXPLAIN " + table, session + ",delta=1e-6")).contains("charge.delta: 0.000001");
    }

    @Test
    void blocksAreAPropertyOfTheSession() throws Exception {
        assertThat(refusal("SELECT count(*) FROM t", "epsilon=1,blocks=latest+2"))
                .contains("blocks is for datasets whose rows are divided into blocks");
    }
}
