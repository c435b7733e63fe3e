package dev.purser.sql;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Statements sent to the running service, and a dataset that they are about. */
abstract class SqlService extends RunningService {
    static final String ROWS = "age,hours,sex\n" + "20,10,Male\n".repeat(3) + "40,30.25,Female\n".repeat(5);

    /** At this epsilon a count of rows is exact. */
    static final String SURELY = "epsilon=100";

    String dataset = "";

    @BeforeEach
    void makeTheDataset() throws Exception {
        dataset = dataset("10000", ROWS);
    }

    /** The reply to a statement, in which {@code t} is the dataset. */
    JsonNode run(String sql, String session) throws Exception {
        return runAs(key(), sql, session);
    }

    JsonNode runAs(String key, String sql, String session) throws Exception {
        HttpResponse<String> response = statement(key, sql, session);
        assertStatus(200, response);
        return json(response);
    }

    HttpResponse<String> statement(String key, String sql, String session) throws Exception {
        List<String> headers = new ArrayList<>(List.of("X-Trino-User", "ana", "X-Trino-Catalog", "purser"));
        if (!session.isEmpty()) {
            headers.addAll(List.of("X-Trino-Session", session));
        }
        return sendAs(
                key,
                "POST",
                "/v1/statement",
                BodyPublishers.ofString(sql.replace(" t", " " + dataset)),
                headers.toArray(String[]::new));
    }

    /** The rows that a statement returns. */
    String rows(String sql, String session) throws Exception {
        JsonNode reply = run(sql, session);
        assertThat(reply.has("error")).as(reply.toString()).isFalse();
        return reply.get("data").toString().replace("\"", "");
    }

    /** Why a statement is refused. */
    String refusal(String sql, String session) throws Exception {
        JsonNode reply = run(sql, session);
        assertThat(reply.has("data")).as(reply.toString()).isFalse();
        return reply.at("/error/message").asString();
    }

    /** A connection of the JDBC driver, which sends the key without TLS as an extra credential. */
    Connection connect(String key, String session) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "ana");
        properties.setProperty("extraCredentials", "key:" + key);
        if (!session.isEmpty()) {
            properties.setProperty("sessionProperties", session);
        }
        return DriverManager.getConnection("jdbc:trino://127.0.0.1:" + port + "/purser/main", properties);
    }

    /** All rows, with {@code |} between their values. */
    static List<String> all(ResultSet rows) throws SQLException {
        List<String> all = new ArrayList<>();
        ResultSetMetaData columns = rows.getMetaData();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                row.add(String.valueOf(rows.getObject(i)));
            }
            all.add(String.join("|", row));
        }
        return all;
    }
}
