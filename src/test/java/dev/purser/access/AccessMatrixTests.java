package dev.purser.access;

import dev.purser.web.RunningService;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.server.PathContainer;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.databind.JsonNode;

import static dev.purser.access.Role.ADMINISTRATOR;
import static dev.purser.access.Role.ANALYST;
import static dev.purser.access.Role.AUDITOR;
import static dev.purser.access.Role.COLLECTOR;
import static dev.purser.access.Role.CUSTODIAN;
import static dev.purser.access.Role.VIEWER;
import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every role at every operation, for a dataset of the role's own (registered or granted), for a dataset of somebody
 * else, and for a dataset that does not exist. The table below is written by hand and not derived from the annotations.
 * A served operation that is not in the table fails the test.
 */
class AccessMatrixTests extends RunningService {
    private static final String CSV = "age,hours,sex,of\n1,1,Male,ID\n";
    private static final String COUNT = quoted("{'epsilon':'0.001'}");
    private static final String JSON = "application/json";
    private static final String OPENING = """
                    {"epsilon":"0.001","threshold":5,"maxPositives":1,"queries":"counts"}""";
    private static final String SYNOPSIS = quoted("{'epsilon':'0.001','columns':[{'column':'sex'}]}");
    private static final String COLLECTION = """
                    {"id":"ID","protocol":"harmony","range":{"lower":0,"upper":1},"epsilon":1}""";
    private static final String TRAINING = """
                    {"id":"ID","model":"linear","features":1,"protocol":"harmony","epsilon":1}""";
    private static final Pattern FEW_WORDS = Pattern.compile("\\{\\w+:([^}]+)}");

    /** The object of an operation. */
    private enum Subject {
        /** Registered by the custodian of the test, granted to everybody else. */
        OWN,
        /** Registered by another custodian, granted to nobody of the test. */
        OTHER,
        /** Has an id that was never used and is as long as the other ids. */
        MISSING
    }

    enum About {
        /** Nothing in particular. */
        NOTHING,
        /** A dataset with data. */
        DATASET,
        /** A dataset that is not needed afterwards. */
        SPARE_DATASET,
        /** A dataset without data. */
        EMPTY_DATASET,
        /** An answer. */
        ANSWER,
        /** A receipt: auditors of the dataset read it too. */
        RECEIPT,
        /** An open threshold session. */
        SESSION,
        /** A closed threshold session, whose events end. */
        CLOSED_SESSION,
        /** A synopsis. */
        SYNOPSIS,
        /** An open collection. */
        COLLECTION,
        /** A collection that is not needed afterwards. */
        SPARE_COLLECTION,
        /** An open training. */
        TRAINING,
        /** A training that is not needed afterwards. */
        SPARE_TRAINING,
        /** A key. */
        KEY
    }

    /**
     * One operation.
     *
     * @param body where {@code ID} stands for an id that was never used, and {@code ANSWER} for the id of an answer
     *     about the dataset
     * @param status the status for the roles that may use the operation, about their own objects
     */
    record Line(About about, String body, String type, int status, Set<Role> roles) {
        static Line of(About about, String body, String type, int status, Role... roles) {
            Set<Role> all = EnumSet.of(ADMINISTRATOR);
            all.addAll(List.of(roles));
            return new Line(about, body, type, status, all);
        }

        static Line get(About about, Role... roles) {
            return of(about, "", "", 200, roles);
        }
    }

    private static final Role[] EVERYBODY = Role.values();

    /** The lines by method and path. */
    static final Map<String, Line> TABLE = table();

    private static Map<String, Line> table() {
        Map<String, Line> table = new TreeMap<>();
        table.put("POST /v1/keys", Line.of(About.NOTHING, quoted("{'name':'ID','role':'operator'}"), JSON, 201));
        table.put("GET /v1/keys", Line.get(About.NOTHING));
        table.put("GET /v1/keys/self", Line.get(About.NOTHING, EVERYBODY));
        table.put("PATCH /v1/keys/{keyId}", Line.of(About.KEY, quoted("{'datasets':[]}"), JSON, 200));
        table.put("DELETE /v1/keys/{keyId}", Line.of(About.KEY, "", "", 204));
        table.put("GET /v1/mechanisms", Line.get(About.NOTHING, EVERYBODY));
        table.put("POST /v1/statement", Line.of(About.NOTHING, "SELECT 1", "text/plain", 200, ANALYST, VIEWER));
        table.put("HEAD /v1/statement", Line.get(About.NOTHING, ANALYST, VIEWER));
        table.put("DELETE /v1/statement/{statementId}", Line.of(About.NOTHING, "", "", 204, ANALYST, VIEWER));
        table.put(
                "POST /v1/datasets",
                Line.of(
                        About.NOTHING,
                        registration("ID", COLUMNS, "1", "add-or-remove-one", ""),
                        JSON,
                        201,
                        CUSTODIAN));
        table.put("GET /v1/datasets", Line.get(About.NOTHING, CUSTODIAN, ANALYST, VIEWER, AUDITOR));
        table.put("GET /v1/datasets/{id}", Line.get(About.DATASET, CUSTODIAN, ANALYST, VIEWER, AUDITOR));
        table.put("DELETE /v1/datasets/{id}", Line.of(About.SPARE_DATASET, "", "", 204, CUSTODIAN));
        table.put("PUT /v1/datasets/{id}/data", Line.of(About.EMPTY_DATASET, CSV, "text/csv", 200, CUSTODIAN));
        // The datasets have no blocks.
        table.put("PUT /v1/datasets/{id}/blocks/{label}/data", Line.of(About.DATASET, CSV, "text/csv", 422, CUSTODIAN));
        table.put(
                "GET /v1/datasets/{id}/blocks",
                Line.of(About.DATASET, "", "", 422, CUSTODIAN, ANALYST, VIEWER, AUDITOR));
        table.put("GET /v1/datasets/{id}/budget", Line.get(About.DATASET, CUSTODIAN, ANALYST, VIEWER, AUDITOR));
        table.put("PUT /v1/datasets/{id}/budget", Line.of(About.DATASET, """
                        {"epsilon":"100"}""", JSON, 200, CUSTODIAN));
        table.put("PUT /v1/datasets/{id}/allotments/{analyst}", Line.of(About.DATASET, """
                        {"epsilon":"100"}""", JSON, 200, CUSTODIAN));
        table.put("DELETE /v1/datasets/{id}/allotments/{analyst}", Line.of(About.DATASET, "", "", 204, CUSTODIAN));
        table.put("GET /v1/datasets/{id}/ledger", Line.get(About.DATASET, CUSTODIAN, AUDITOR));
        table.put("GET /v1/datasets/{id}/ledger/verification", Line.get(About.DATASET, CUSTODIAN, AUDITOR));
        table.put("GET /v1/datasets/{id}/queries", Line.get(About.DATASET, ANALYST));
        Map<String, String> questions = Map.of(
                "aggregate",
                quoted("{'epsilon':'0.001','groupBy':[{'column':'sex'}],'aggregates':[{'count':{}}]}"),
                "count",
                COUNT,
                "sum",
                quoted("{'epsilon':'0.001','column':'age'}"),
                "mean",
                quoted("{'epsilon':'0.001','column':'age'}"),
                "histogram",
                quoted("{'epsilon':'0.001','column':'sex'}"),
                "quantile",
                quoted("{'epsilon':'0.001','column':'age','probabilities':[0.5]}"),
                "local-mean",
                quoted("{'epsilon':'0.001','column':'age'}"),
                "threshold",
                quoted("{'epsilon':'0.001','threshold':5,'queries':[{'count':{}}]}"),
                "sparse-range",
                """
                                {"epsilon":"0.001","column":"age","threshold":5,"maxPositives":1,"release":"indices",\
                                "ranges":[{"above":0}]}""");
        // A viewer gets the answer of the analyst, who asks before.
        questions.forEach((kind, body) -> table.put(
                "POST /v1/datasets/{id}/queries/" + kind, Line.of(About.DATASET, body, JSON, 200, ANALYST, VIEWER)));
        table.put("POST /v1/datasets/{id}/quotes/{kind}", Line.of(About.DATASET, COUNT, JSON, 200, ANALYST, VIEWER));
        table.put("POST /v1/datasets/{id}/quotes/refinement", Line.of(About.DATASET, """
                        {"epsilon":"0.001","queryId":"ANSWER"}""", JSON, 200, ANALYST, VIEWER));
        table.put(
                "POST /v1/datasets/{id}/quotes",
                Line.of(About.DATASET, """
                        {"questions":[{"kind":"count","request":%s}]}""".formatted(COUNT), JSON, 200, ANALYST, VIEWER));
        table.put(
                "POST /v1/datasets/{id}/queries",
                Line.of(About.DATASET, """
                        {"questions":[{"kind":"count","request":%s}]}""".formatted(COUNT), JSON, 200, ANALYST, VIEWER));
        table.put("POST /v1/datasets/{id}/threshold-sessions", Line.of(About.DATASET, OPENING, JSON, 201, ANALYST));
        table.put("GET /v1/datasets/{id}/threshold-sessions", Line.get(About.DATASET, ANALYST));
        table.put("GET /v1/threshold-sessions/{sessionId}", Line.get(About.SESSION, ANALYST));
        table.put("DELETE /v1/threshold-sessions/{sessionId}", Line.of(About.SESSION, "", "", 204, ANALYST));
        table.put("GET /v1/threshold-sessions/{sessionId}/events", Line.get(About.CLOSED_SESSION, ANALYST));
        table.put("POST /v1/threshold-sessions/{sessionId}/queries", Line.of(About.SESSION, """
                        {"sequence":1,"query":{"count":{}}}""", JSON, 200, ANALYST));
        table.put("POST /v1/datasets/{id}/synopses", Line.of(About.DATASET, SYNOPSIS, JSON, 201, ANALYST));
        table.put("GET /v1/datasets/{id}/synopses", Line.get(About.DATASET, ANALYST, VIEWER));
        table.put("GET /v1/synopses/{synopsisId}", Line.get(About.SYNOPSIS, ANALYST, VIEWER));
        table.put("GET /v1/synopses/{synopsisId}/tables", Line.get(About.SYNOPSIS, ANALYST, VIEWER));
        table.put("POST /v1/synopses/{synopsisId}/answers", Line.of(About.SYNOPSIS, """
                {"questions":[{"count":{}}]}""", JSON, 200, ANALYST, VIEWER));
        // The synopsis is one table of all columns.
        table.put("GET /v1/synopses/{synopsisId}/rows", Line.of(About.SYNOPSIS, "", "", 422, ANALYST, VIEWER));
        // More than a chain may add up to, so that nothing is spent.
        table.put("POST /v1/synopses/{synopsisId}/refinements", Line.of(About.SYNOPSIS, """
                {"epsilon":"100"}""", JSON, 422, ANALYST));
        table.put("POST /v1/collections", Line.of(About.NOTHING, COLLECTION, JSON, 201, CUSTODIAN));
        table.put("GET /v1/collections", Line.get(About.NOTHING, CUSTODIAN, ANALYST, COLLECTOR));
        table.put("GET /v1/collections/{id}", Line.get(About.COLLECTION, CUSTODIAN, ANALYST, COLLECTOR));
        table.put("GET /v1/collections/{id}/estimate", Line.get(About.COLLECTION, CUSTODIAN, ANALYST));
        table.put("POST /v1/collections/{id}/reports", Line.of(About.COLLECTION, """
                        {"reports":[{"reportId":"ID","sign":1}]}""", JSON, 200, COLLECTOR));
        table.put("POST /v1/collections/{id}/closure", Line.of(About.SPARE_COLLECTION, "", "", 200, CUSTODIAN));
        table.put("DELETE /v1/collections/{id}", Line.of(About.SPARE_COLLECTION, "", "", 204, CUSTODIAN));
        table.put("POST /v1/trainings", Line.of(About.NOTHING, TRAINING, JSON, 201, CUSTODIAN));
        table.put("GET /v1/trainings", Line.get(About.NOTHING, CUSTODIAN, ANALYST, COLLECTOR));
        table.put("GET /v1/trainings/{id}", Line.get(About.TRAINING, CUSTODIAN, ANALYST, COLLECTOR));
        table.put("POST /v1/trainings/{id}/tickets", Line.of(About.TRAINING, """
                {"count":1}""", JSON, 201, COLLECTOR));
        // The ticket is not a ticket of the training.
        table.put("POST /v1/trainings/{id}/reports", Line.of(About.TRAINING, """
                                {"round":1,"reports":[{"ticket":"ID","coordinate":0,\
                                "sign":1}]}""", JSON, 422, COLLECTOR));
        table.put("POST /v1/trainings/{id}/closure", Line.of(About.SPARE_TRAINING, "", "", 200, CUSTODIAN));
        table.put("DELETE /v1/trainings/{id}", Line.of(About.SPARE_TRAINING, "", "", 204, CUSTODIAN));
        table.put("POST /mcp", Line.of(About.NOTHING, """
                        {"jsonrpc":"2.0","id":1,"method":"initialize"}""", JSON, 200, ANALYST, VIEWER));
        table.put("GET /v1/datasets/{id}/answers", Line.get(About.DATASET, CUSTODIAN, ANALYST, VIEWER));
        table.put("GET /v1/queries/{queryId}", Line.get(About.ANSWER, CUSTODIAN, ANALYST, VIEWER));
        // More than a chain may add up to, so that nothing is spent.
        table.put("POST /v1/queries/{queryId}/refinements", Line.of(About.ANSWER, """
                {"epsilon":"100"}""", JSON, 422, ANALYST));
        table.put("GET /v1/queries/{queryId}/receipt", Line.get(About.RECEIPT, ANALYST, AUDITOR));
        return table;
    }

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    private RequestMappingHandlerMapping mapping;

    private final Map<Role, String> keys = new EnumMap<>(Role.class);
    private String otherCustodian = "";
    private String analyst = "";
    private String otherAnalyst = "";
    private String own = "";
    private String other = "";
    private String ownCollection = "";
    private String otherCollection = "";
    private String ownTraining = "";
    private String otherTraining = "";
    private final Map<String, String> answers = new HashMap<>();

    /** Every operation that needs a key, as method and path, with its method. */
    static Map<String, HandlerMethod> served(RequestMappingHandlerMapping mapping) {
        Map<String, HandlerMethod> served = new TreeMap<>();
        mapping.getHandlerMethods().forEach((info, method) -> {
            for (String path : paths(info.getPatternValues())) {
                if (!path.equals("/error") && !isPublic(path)) {
                    assertThat(info.getMethodsCondition().getMethods()).as(path).isNotEmpty();
                    info.getMethodsCondition().getMethods().forEach(verb -> served.put(verb + " " + path, method));
                }
            }
        });
        return served;
    }

    /**
     * The paths of some patterns: one path for each word of a variable that takes only a few words, as {@code
     * kind:count|sum} does.
     */
    private static List<String> paths(Set<String> patterns) {
        List<String> paths = new ArrayList<>();
        for (String pattern : patterns) {
            Matcher variable = FEW_WORDS.matcher(pattern);
            if (variable.find()) {
                Arrays.stream(variable.group(1).split("\\|"))
                        .map(variable::replaceFirst)
                        .forEach(paths::add);
            } else {
                paths.add(pattern);
            }
        }
        return paths;
    }

    private static boolean isPublic(String path) {
        for (String open : AccessRules.PUBLIC) {
            if (PathPatternParser.defaultInstance.parse(open).matches(PathContainer.parsePath(path))) {
                return true;
            }
        }
        return false;
    }

    @Test
    void everyOperationStandsInTheTableAndSaysWhomItIsFor() {
        Map<String, HandlerMethod> served = served(mapping);
        assertThat(served.keySet()).isEqualTo(TABLE.keySet());
        served.forEach((operation, method) -> assertThat(method.getMethodAnnotation(PermittedTo.class))
                .as("@PermittedTo on " + operation)
                .isNotNull());
    }

    @Test
    void whatIsServedUnderAKeyIsServedUnderV1() {
        Set<String> outside = new TreeSet<>(served(mapping).keySet());
        outside.removeIf(operation -> operation.contains(" /v1/"));
        // Clients of the Model Context Protocol are given one address.
        assertThat(outside).containsExactly("POST /mcp");
    }

    private void makeEverybody() throws Exception {
        String custodianName = newName();
        String custodian = keyFor(custodianName, "custodian", "[]");
        otherCustodian = keyFor("custodian", "[]");
        own = newDataset(custodian, true);
        other = newDataset(otherCustodian, true);
        analyst = newName();
        otherAnalyst = keyFor(analyst, "analyst", "['*']");
        ownCollection = newCollection(custodian, "collections", COLLECTION);
        otherCollection = newCollection(otherCustodian, "collections", COLLECTION);
        ownTraining = newCollection(custodian, "trainings", TRAINING);
        otherTraining = newCollection(otherCustodian, "trainings", TRAINING);
        for (String dataset : List.of(own, other)) {
            answers.put(dataset, asked(ANALYST, Subject.OTHER, dataset));
        }
        String granted = ",'collections':['" + ownCollection + "','" + ownTraining + "']";
        for (Role role : Role.values()) {
            HttpResponse<String> made = makeKey(newName(), role.label(), "['" + own + "']", granted);
            keys.put(
                    role,
                    role == CUSTODIAN
                            ? custodian
                            : json(assertStatus(201, made)).get("key").asString());
        }
    }

    private String newCollection(String custodian, String kind, String declaration) throws Exception {
        String id = newId();
        assertStatus(201, postAs(custodian, "/v1/" + kind, declaration.replace("ID", id)));
        return id;
    }

    private String newDataset(String custodian, boolean withData) throws Exception {
        String id = newId();
        // Under this relation every kind of question is private.
        assertStatus(201, postAs(custodian, "/v1/datasets", registration(id, COLUMNS, "100", "replace-one", "")));
        if (withData) {
            assertStatus(200, uploadAs(custodian, id, CSV.replace("ID", id)));
        }
        return id;
    }

    private String keyOf(Role role) {
        String key = keys.get(role);
        assertThat(key).isNotNull();
        return String.valueOf(key);
    }

    /** The id of a question: the role's own question where the role may ask. */
    private String asked(Role role, Subject subject, String dataset) throws Exception {
        boolean asks = subject == Subject.OWN && (role == ANALYST || role == ADMINISTRATOR);
        HttpResponse<String> answer =
                postAs(asks ? keyOf(role) : otherAnalyst, "/v1/datasets/" + dataset + "/queries/count", COUNT);
        return json(assertStatus(200, answer)).get("queryId").asString();
    }

    /** The id of a threshold session: the role's own session where the role may ask. */
    private String session(Role role, Subject subject, boolean isClosed) throws Exception {
        boolean asks = subject == Subject.OWN && (role == ANALYST || role == ADMINISTRATOR);
        String key = asks ? keyOf(role) : otherAnalyst;
        HttpResponse<String> opened = postAs(key, "/v1/datasets/" + own + "/threshold-sessions", OPENING);
        String id = json(assertStatus(201, opened)).get("sessionId").asString();
        if (isClosed) {
            assertStatus(204, sendAs(key, "DELETE", "/v1/threshold-sessions/" + id, BodyPublishers.noBody()));
        }
        return id;
    }

    /** The id of a synopsis. Everybody who may ask about the dataset reads it. */
    private String synopsis(String dataset) throws Exception {
        HttpResponse<String> bought = postAs(otherAnalyst, "/v1/datasets/" + dataset + "/synopses", SYNOPSIS);
        return json(assertStatus(201, bought)).get("queryId").asString();
    }

    /** An id for the path. Administrators own everything. */
    private String subject(About about, Role role, Subject subject) throws Exception {
        String custodian = subject == Subject.OWN ? keyOf(CUSTODIAN) : otherCustodian;
        return switch (about) {
            case NOTHING -> "";
            case DATASET -> missingOr(subject, subject == Subject.OWN ? own : other);
            case SPARE_DATASET -> missingOr(subject, newDataset(custodian, true));
            case EMPTY_DATASET -> missingOr(subject, newDataset(custodian, false));
            case ANSWER, RECEIPT -> missingOr(subject, asked(role, subject, subject == Subject.OWN ? own : other));
            case SESSION -> missingOr(subject, session(role, subject, false));
            case CLOSED_SESSION -> missingOr(subject, session(role, subject, true));
            case SYNOPSIS -> missingOr(subject, synopsis(subject == Subject.OWN ? own : other));
            case COLLECTION -> missingOr(subject, subject == Subject.OWN ? ownCollection : otherCollection);
            case SPARE_COLLECTION -> missingOr(subject, newCollection(custodian, "collections", COLLECTION));
            case TRAINING -> missingOr(subject, subject == Subject.OWN ? ownTraining : otherTraining);
            case SPARE_TRAINING -> missingOr(subject, newCollection(custodian, "trainings", TRAINING));
            case KEY -> {
                JsonNode made = json(assertStatus(201, makeKey(newName(), "operator", "[]", "")));
                yield missingOr(subject, made.get("keyId").asString());
            }
        };
    }

    private static String missingOr(Subject subject, String id) {
        return subject == Subject.MISSING ? "z".repeat(id.length()) : id;
    }

    private static int expected(Line line, Role role, Subject subject) {
        if (!line.roles().contains(role)) {
            return 403;
        }
        boolean isThere = subject == Subject.OWN
                || role == ADMINISTRATOR && subject == Subject.OTHER
                || line.about() == About.NOTHING;
        return isThere ? line.status() : 404;
    }

    @Test
    void everyRoleMayDoWhatTheTableSaysAndHiddenIsMissingByteForByte() throws Exception {
        makeEverybody();
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Line> each : TABLE.entrySet()) {
            for (Role role : Role.values()) {
                Map<Subject, String> replies = new LinkedHashMap<>();
                for (Subject subject : Subject.values()) {
                    String id = subject(each.getValue().about(), role, subject);
                    HttpResponse<String> reply = call(each.getKey(), each.getValue(), role, id);
                    int expected = expected(each.getValue(), role, subject);
                    if (reply.statusCode() != expected) {
                        wrong.add(role + " " + each.getKey() + " " + subject + ": " + reply.statusCode() + ", not "
                                + expected + " " + reply.body());
                    }
                    replies.put(subject, text(reply, id));
                }
                if (Set.of(403, 404).contains(expected(each.getValue(), role, Subject.OTHER))
                        && !replies.getOrDefault(Subject.OTHER, "").equals(replies.get(Subject.MISSING))) {
                    wrong.add(role + " " + each.getKey() + " tells: " + replies);
                }
                if (expected(each.getValue(), role, Subject.OWN) == 403
                        && !replies.getOrDefault(Subject.OWN, "").equals(replies.get(Subject.MISSING))) {
                    wrong.add(role + " " + each.getKey() + " tells before it refuses: " + replies);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private HttpResponse<String> call(String operation, Line line, Role role, String id) throws Exception {
        String[] parts = operation.split(" ");
        String path = parts[1].replaceAll("\\{(id|queryId|keyId|sessionId|synopsisId)}", id)
                .replace("{kind}", "count")
                .replace("{label}", "2026-03")
                .replace("{statementId}", "any")
                .replace("{analyst}", analyst);
        String[] headers = line.type().isEmpty() ? new String[0] : new String[] {"Content-Type", line.type()};
        String body = line.body().replace("ID", newId()).replace("ANSWER", answers.getOrDefault(id, "none"));
        return sendAs(
                keyOf(role),
                parts[0],
                path,
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body),
                headers);
    }

    /** Status, headers and body, with the id replaced, the time removed, and a made-up key replaced. */
    private static String text(HttpResponse<String> reply, String id) {
        Map<String, List<String>> headers = new TreeMap<>(reply.headers().map());
        headers.remove("date");
        // The service makes an idempotency key for each request that brings none.
        headers.computeIfPresent("idempotency-key", (name, made) -> List.of("made"));
        String body = id.isEmpty() ? reply.body() : reply.body().replace(id, "{id}");
        return reply.statusCode() + " " + headers + " " + body;
    }

    /**
     * Every operation is sent with a body that would spend or write if somebody else sent it. Nothing is committed
     * meanwhile.
     */
    @Test
    void aViewerLowersNoBudgetAndWritesNothingByAnyOperation() throws Exception {
        makeEverybody();
        try (Connection ledger = DriverManager.getConnection("jdbc:sqlite:" + home().resolve("ledger.db"))) {
            assertWritesNothing(ledger);
        }
    }

    private void assertWritesNothing(Connection ledger) throws Exception {
        List<String> wrong = new ArrayList<>();
        int refused = 0;
        for (Map.Entry<String, Line> each : operations().entrySet()) {
            String body = each.getValue().body();
            // Nobody asked with this epsilon, so nothing is stored.
            String fresh = body.replace("\"0.001\"", "\"0.0017\"");
            String bold = fresh.replace("{\"epsilon\"", "{\"spend\":true,\"epsilon\"");
            boolean isAsking = each.getKey().startsWith("POST /v1/datasets/{id}/queries");
            if (isAsking) {
                String path = each.getKey().split(" ")[1].replace("{id}", own);
                assertStatus(200, postAs(keyOf(ANALYST), path, body));
            }
            Map<String, String> subjects = new TreeMap<>();
            for (String sent : List.of(body, fresh, bold)) {
                subjects.put(sent, subject(each.getValue().about(), VIEWER, Subject.OWN));
            }
            int before = version(ledger);
            Map<String, Integer> replies = new TreeMap<>();
            for (Map.Entry<String, String> about : subjects.entrySet()) {
                Line line = new Line(
                        each.getValue().about(), about.getKey(), each.getValue().type(), 0, Set.of());
                int status = call(each.getKey(), line, VIEWER, about.getValue()).statusCode();
                replies.put(about.getKey(), status);
                refused += Set.of(403, 404, 409, 422).contains(status) ? 1 : 0;
            }
            if (isAsking) {
                assertThat(replies).as(each.getKey()).isEqualTo(Map.of(body, 200, fresh, 409, bold, 403));
            }
            if (version(ledger) != before) {
                wrong.add(each.getKey() + " " + replies);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(refused).isGreaterThan(40);
    }

    /** The operations of the served description, with the lines of the table. */
    private Map<String, Line> operations() throws Exception {
        Map<String, Line> operations = new TreeMap<>();
        json(get("/openapi.json"))
                .get("paths")
                .properties()
                .forEach(path -> path.getValue().propertyNames().forEach(verb -> {
                    String operation = verb.toUpperCase(Locale.ROOT) + " " + path.getKey();
                    String asQuote = operation.replaceFirst("/quotes/.*", "/quotes/{kind}");
                    Line line = TABLE.getOrDefault(operation, TABLE.get(asQuote));
                    if (line != null) {
                        operations.put(operation, line);
                    } else {
                        assertThat(isPublic(path.getKey())).as(operation).isTrue();
                    }
                }));
        assertThat(operations).hasSizeGreaterThan(50);
        return operations;
    }

    /** A number that changes whenever a connection other than this one commits a change, and only then. */
    private static int version(Connection ledger) throws SQLException {
        try (Statement statement = ledger.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA data_version")) {
            return row.getInt(1);
        }
    }

    @Test
    void withoutAKeyEverythingIsOneAnswer() throws Exception {
        for (Map.Entry<String, Line> each : TABLE.entrySet()) {
            String[] parts = each.getKey().split(" ");
            HttpResponse<String> reply = sendAs("", parts[0], parts[1].replaceAll("[{}]", ""), BodyPublishers.noBody());
            if (parts[0].equals("HEAD")) {
                assertStatus(401, reply);
            } else {
                assertProblem(401, "unauthorized", reply);
            }
            assertThat(reply.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        }
    }

    @Test
    void aRefusalNamesTheRolesThatAreNeededAndTheOneThatCame() throws Exception {
        String custodian = keyFor("custodian", "[]");
        String operator = keyFor("operator", "[]");
        String nowhere = "/v1/datasets/nowhere/";
        String twoRoles = "The key's role must be administrator or analyst or viewer, was custodian";
        assertThat(forbidden(postAs(custodian, nowhere + "queries/count", COUNT)))
                .isEqualTo(twoRoles);
        assertThat(forbidden(getAs(operator, nowhere + "ledger")))
                .isEqualTo("The key's role must be administrator or custodian or auditor, was operator");
        assertThat(forbidden(getAs(custodian, "/v1/keys")))
                .isEqualTo("The key's role must be administrator, was custodian");
        assertThat(forbidden(getAs(custodian, "/actuator/prometheus")))
                .isEqualTo("The key's role must be administrator or operator, was custodian");
    }

    private static String forbidden(HttpResponse<String> reply) {
        return assertProblem(403, "forbidden", reply).get("detail").asString();
    }

    /** Metrics are not an operation of the interface: their address is checked where addresses are checked. */
    @Test
    void metricsAreForOperators() throws Exception {
        makeEverybody();
        for (Role role : Role.values()) {
            HttpResponse<String> reply = getAs(keyOf(role), "/actuator/prometheus");
            if (role == Role.OPERATOR || role == ADMINISTRATOR) {
                assertStatus(200, reply);
            } else {
                assertProblem(403, "forbidden", reply);
            }
            assertStatus(
                    role == Role.OPERATOR || role == ADMINISTRATOR ? 405 : 403,
                    sendAs(keyOf(role), "POST", "/actuator/prometheus", BodyPublishers.noBody()));
        }
        assertProblem(401, "unauthorized", getAs("", "/actuator/prometheus"));
    }

    @Test
    void theDescriptionSaysTheSameRoles() throws Exception {
        JsonNode paths = json(get("/openapi.json")).get("paths");
        for (Map.Entry<String, Line> each : TABLE.entrySet()) {
            String[] parts = each.getKey().split(" ");
            JsonNode operation = paths.get(parts[1].replace("{kind}", "count")).get(parts[0].toLowerCase(Locale.ROOT));
            Set<String> described = new TreeSet<>();
            operation.get("x-roles").forEach(role -> described.add(role.asString()));
            Set<String> expected = new TreeSet<>();
            each.getValue().roles().forEach(role -> expected.add(role.label()));
            assertThat(described).as(each.getKey()).isEqualTo(expected);
            assertThat(operation.get("description").asString()).contains("For the roles: administrator");
        }
    }
}
