package dev.purser.journal;

import dev.purser.PurserApplication;
import dev.purser.ledger.proof.GuardedDatabase;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import dev.purser.store.Tampering;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Somebody who has the database but not the home changes one column of one row. The tables and columns are read from
 * the database, so a new one is tested without a change here, once a request gives it a value.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TamperedColumnsContract {
    /** The tables and columns that a start does not check, each with the reason. */
    private static final Map<String, String> UNCHECKED = Map.of(
            "attachment", "what it leads to is compared with the digest in the answer when it is read",
            "attachment_piece", "it is compared with the digest in the answer when it is read",
            "question.request", "it is compared with the charge when the question is answered");

    /**
     * Requests that give each column of each table a value. A name in angle brackets stands for a member of an earlier
     * reply, or for one of the first {@link #members}.
     */
    private static final String REQUESTS = """
            POST /v1/keys {'name':'eve','role':'viewer','datasets':[],'expiresAt':'2099-01-01T00:00:00Z'}
            POST /v1/keys {'name':'eve','role':'viewer','datasets':[],'replaces':'<keyId>'}
            POST /v1/keys {'name':'bob','role':'viewer','datasets':[],'identity':{'subject':'b'}}
            POST /v1/datasets {'id':'people','title':'People','accountant':'approximate',<registration>}
            PUT /v1/datasets/people/data age\\n1\\n2
            PUT /v1/datasets/people/budget {'epsilon':60}
            PUT /v1/datasets/people/allotments/admin {'epsilon':50}
            POST /v1/datasets/people/queries/count {'epsilon':1}
            POST /v1/queries/<queryId>/refinements {'epsilon':1}
            POST /v1/datasets/people/queries/histogram {'epsilon':1,'column':'age','edges':<edges>}
            POST /v1/datasets/people/queries {'questions':[{'kind':'mean','request':{'epsilon':1,'column':'age'}}]}
            POST /v1/datasets/people/synopses {'epsilon':1,'columns':[{'column':'age','step':1000}]}
            POST /v1/datasets {'id':'days','accountant':'approximate',<division>,<registration>}
            PUT /v1/datasets/days/blocks/5000/data age\\n5001
            PUT /v1/datasets/days/allotments/admin {'epsilon':50,'delta':1e-6}
            POST /v1/datasets/days/queries/count {'epsilon':1,'delta':1e-7,<window>}
            POST /v1/datasets {'id':'weeks','accountant':'zcdp',<division>,<registration>}
            PUT /v1/datasets/weeks/blocks/5000/data age\\n5002
            PUT /v1/datasets/weeks/allotments/admin {'epsilon':50,'delta':1e-6}
            POST /v1/datasets/weeks/queries/count {'epsilon':1,<window>}
            POST /v1/datasets/weeks/threshold-sessions {<session>,<window>}
            POST /v1/threshold-sessions/<sessionId>/queries {'sequence':1,'query':{'count':{}}}
            DELETE /v1/threshold-sessions/<sessionId>
            POST /v1/datasets/weeks/threshold-sessions {<session>,<window>}
            POST /v1/datasets {'id':'gone','accountant':'approximate',<registration>}
            DELETE /v1/datasets/gone
            POST /v1/datasets {'id':'broken','accountant':'approximate',<registration>}
            PUT /v1/datasets/broken/data age\\n3
            POST /v1/collections {'id':'signs','protocol':'harmony','range':{'lower':0,'upper':1},'epsilon':1}
            POST /v1/collections/signs/reports {'reports':[{'reportId':'r','sign':1}]}
            POST /v1/collections/signs/closure
            POST /v1/trainings {'id':'m','model':'linear','features':1,'protocol':'harmony','epsilon':1,'groupSize':1}
            POST /v1/trainings/m/tickets {'count':1}
            POST /v1/trainings/m/reports {'round':1,'reports':[{'ticket':'<tickets>','coordinate':0,'sign':1}]}
            """;

    /** A refusal that names what was changed, and no other cause. */
    private static final String REFUSAL = ".*(was changed|is missing|are missing|is there twice|are not sound).*";

    private static final String KEY = "a-key-that-the-test-knows";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Map<String, String> members = new HashMap<>(Map.of(
            "registration",
            "'columns':[{'name':'age','type':'integer','lower':0,'upper':9999}],'privacyUnit':{'type':'row'},"
                    + "'neighboringRelation':'add-or-remove-one','maxRows':9,'budget':{'epsilon':60,'delta':1e-6}",
            "division",
            "'blocks':{'column':'age','width':5000}",
            "window",
            "'blocks':{'from':'5000','to':'5000'}",
            "session",
            "'epsilon':1,'threshold':50,'maxPositives':1,'queries':'counts'",
            "edges",
            IntStream.range(0, 2_000).boxed().toList().toString()));
    private final List<Change> changes = new ArrayList<>();
    private final Map<String, DecidingRows<?>> declared = new HashMap<>();
    private LedgerSettings settings;
    private PurserHome home;
    private int port;
    private JournalCheck check;

    /** Stays open, because opening it takes much longer than its check. */
    private Database database;

    private JdbcTemplate tampering;

    LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    /** @param key the columns of the table's primary key */
    private record Change(String table, String column, String key, boolean isToNull) {
        String name() {
            return table + "." + column;
        }

        String select() {
            return "SELECT " + column + " FROM " + table + ofFirstRow();
        }

        String update() {
            return "UPDATE " + table + " SET " + column + " = ?" + ofFirstRow();
        }

        /** Selects the first row with a value. Null is read as zero, so it replaces another value. */
        private String ofFirstRow() {
            String other = isToNull ? " AND CAST(" + column + " AS TEXT) <> '0'" : "";
            return " WHERE (%1$s) = (SELECT %1$s FROM %2$s WHERE %3$s IS NOT NULL%4$s ORDER BY %1$s LIMIT 1)"
                    .formatted(key, table, column, other);
        }

        @Override
        public String toString() {
            return name() + (isToNull ? " to null" : "");
        }
    }

    @BeforeAll
    void fillAHome(@TempDir Path folder) throws Exception {
        settings = settings();
        home = new PurserHome(folder.resolve("home"));
        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(PurserApplication.class)
                .run(
                        "--server.port=0",
                        "--purser.home=" + home.path(),
                        "--purser.admin-key=" + KEY,
                        "--purser.identity.issuer=http://127.0.0.1",
                        "--purser.identity.audience=purser",
                        "--purser.ledger.url=" + settings.url(),
                        "--purser.ledger.user=" + settings.user(),
                        "--purser.ledger.password=" + settings.password(),
                        "--purser.ledger.journal-key=" + settings.journalKey().text())) {
            port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            check = service.getBean(JournalCheck.class);
            for (String request : REQUESTS.lines().toList()) {
                HttpResponse<String> reply = send(request);
                assertThat(reply.statusCode()).as(request + reply.body()).isBetween(200, 204);
                JsonMapper.shared()
                        .readTree(reply.body())
                        .forEachEntry(
                                (name, value) -> members.put(name, value.path(0).asString(value.asString(""))));
            }
            Files.writeString(home.path().resolve("datasets/broken/rows.columns"), "no rows");
            assertThat(send("POST /v1/datasets/broken/queries/count {'epsilon':1}")
                            .statusCode())
                    .isEqualTo(503);
        }
        database = GuardedDatabase.open(home, settings, check);
        Connection connection = Tampering.connect(home.path(), settings);
        tampering = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
        tampering.execute("DROP INDEX access_key_name");
        readTheCatalog(connection.getMetaData());
        findDeclaredTables();
    }

    private HttpResponse<String> send(String request) throws Exception {
        String filled = request;
        for (Map.Entry<String, String> member : members.entrySet()) {
            filled = filled.replace("<" + member.getKey() + ">", member.getValue());
        }
        String[] parts = (filled + " ").split(" ", 3);
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + parts[1]))
                        .header("Authorization", "Bearer " + KEY)
                        .header("Content-Type", parts[1].endsWith("/data") ? "text/csv" : "application/json")
                        .method(
                                parts[0],
                                BodyPublishers.ofString(quoted(parts[2].strip().replace("\\n", "\n"))))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private void readTheCatalog(DatabaseMetaData catalog) throws SQLException {
        String schema = settings.isEmbedded() ? null : "public";
        for (String table : all("TABLE_NAME", catalog.getTables(null, schema, "%", new String[] {"TABLE"}))) {
            if (!table.startsWith("flyway")) {
                String key = String.join(", ", all("COLUMN_NAME", catalog.getPrimaryKeys(null, schema, table)));
                List<String> columns = all("COLUMN_NAME", catalog.getColumns(null, schema, table, "%"));
                List<String> nullable = all("IS_NULLABLE", catalog.getColumns(null, schema, table, "%"));
                for (int i = 0; i < columns.size(); i++) {
                    changes.add(new Change(table, columns.get(i), key, false));
                    if (nullable.get(i).equals("YES")) {
                        changes.add(new Change(table, columns.get(i), key, true));
                    }
                }
                tampering.execute("CREATE TABLE kept_" + table + " AS SELECT * FROM " + table);
            }
        }
    }

    private static List<String> all(String value, ResultSet rows) throws SQLException {
        try (rows) {
            return new RowMapperResultSetExtractor<>((row, _) -> row.getString(value)).extractData(rows);
        }
    }

    /** Looks into all classes of the service. */
    private void findDeclaredTables() throws Exception {
        Path classes = Path.of(DecidingRows.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file :
                    (Iterable<Path>) files.filter(each -> each.toString().endsWith(".class"))::iterator) {
                String name = classes.relativize(file)
                        .toString()
                        .replace(".class", "")
                        .replace('/', '.');
                for (Field field :
                        Class.forName(name, false, getClass().getClassLoader()).getDeclaredFields()) {
                    if (field.getType() == DecidingRows.class) {
                        field.setAccessible(true);
                        DecidingRows<?> rows = (DecidingRows<?>) field.get(null);
                        declared.put(rows.table, rows);
                    }
                }
            }
        }
    }

    List<Change> changes() {
        return changes;
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aColumnIsAsItWasWritten(Change change) {
        Object value = tampering.queryForList(change.select(), Object.class).getFirst();
        Object changed = change.isToNull ? null : another(value);
        assertThat(tampering.update(change.update(), new Object[] {changed})).isOne();
        try {
            ThrowingCallable start = () -> GuardedDatabase.guard(database, home, settings, check);
            if (UNCHECKED.containsKey(change.table) || UNCHECKED.containsKey(change.name())) {
                assertThatCode(start).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(start).isInstanceOf(StartupRefusal.class).hasMessageMatching(REFUSAL);
            }
            DecidingRows<?> rows = declared.get(change.table);
            if (rows != null
                    && rows.columns.stream().anyMatch(each -> each.name().equals(change.column))) {
                ChangedRows.refused(
                        rows.object("", "", "").split(" ")[0],
                        () -> database.read(connection -> rows.all(connection, rows.select(""))));
            }
        } finally {
            tampering.execute("DELETE FROM " + change.table);
            tampering.execute("INSERT INTO " + change.table + " SELECT * FROM kept_" + change.table);
        }
    }

    /** Another value of the same form. */
    private static Object another(Object value) {
        return switch (value) {
            case Integer number -> number + 1000;
            case Long number -> number + 1000;
            case Double number -> number + 1000;
            case byte[] bytes -> {
                byte[] other = bytes.clone();
                other[0]++;
                yield other;
            }
            case String type when type.equals("limit") -> "charge";
            case String text -> text.replaceFirst(".$", "") + (text.endsWith("0") ? "1" : "0");
            default -> throw new AssertionError(value.getClass());
        };
    }

    @Test
    void whatIsUncheckedExists() {
        assertThat(changes.stream().flatMap(each -> Stream.of(each.table, each.name())))
                .containsAll(UNCHECKED.keySet());
    }

    @AfterAll
    void theRestoredHomeStarts() throws SQLException {
        database.close();
        GuardedDatabase.open(home, settings, check).close();
    }
}
