package dev.purser.access;

import dev.purser.store.Database;
import dev.purser.web.RunningService;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;

/** Keys as their makers and their holders meet them: made once, shown once, and refused in every other form. */
@ExtendWith(OutputCaptureExtension.class)
class KeysOverHttpTests extends RunningService {
    private static final String SELF = "GET /v1/keys/self HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";

    @Autowired
    private Database database;

    private JsonNode made(String name, String role, String datasets, String changes) throws Exception {
        return json(assertStatus(201, makeKey(name, role, datasets, changes)));
    }

    @Test
    void aKeyIsMadeShownToItsHolderAndListedWithoutIt() throws Exception {
        String name = newName();
        JsonNode key = made(
                name, "analyst", "['later','earlier']", ",'collections':['*'],'expiresAt':'2099-01-31T12:00:00+02:00'");
        assertThat(key.propertyNames()).containsExactly("keyId", "name", "role", "key");
        assertThat(key.get("role").asString()).isEqualTo("analyst");
        String keyId = key.get("keyId").asString();
        assertThat(getAs(key.get("key").asString(), "/v1/keys/self").body())
                .isEqualTo(("{'keyId':'%s','name':'%s','role':'analyst','datasets':['earlier',"
                                + "'later'],'collections':['*'],"
                                + "'expiresAt':'2099-01-31T10:00:00Z','allotments':[]}")
                        .formatted(keyId, name)
                        .replace('\'', '"'));
        assertThat(get("/v1/keys/self").body())
                .isEqualTo(quoted(
                        "{'keyId':null,'name':'admin','role':'administrator','datasets':['*'],'collections':['*'],"
                                + "'expiresAt':null,'allotments':[]}"));
        JsonNode listed = listed(keyId);
        assertThat(listed.propertyNames())
                .containsExactly(
                        "keyId",
                        "name",
                        "role",
                        "datasets",
                        "collections",
                        "state",
                        "createdAt",
                        "expiresAt",
                        "revokedAt",
                        "replaces",
                        "identity");
        assertThat(listed.get("state").asString()).isEqualTo("active");
        assertThat(listed.get("datasets")).hasToString("[\"earlier\",\"later\"]");
        JsonNode none = made(newName(), "operator", "[]", "");
        assertThat(json(getAs(none.get("key").asString(), "/v1/keys/self")).get("collections"))
                .hasToString("[]");
    }

    /** The key in the list, which is read in pages of two. */
    private JsonNode listed(String keyId) throws Exception {
        List<JsonNode> found = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = shown("/v1/keys?limit=2&after=" + after);
            assertThat(page.get("items").size()).isLessThanOrEqualTo(2);
            page.get("items").forEach(each -> {
                ids.add(each.get("keyId").asString());
                if (each.get("keyId").asString().equals(keyId)) {
                    found.add(each);
                }
            });
            after = page.get("next").isNull() ? "" : page.get("next").asString();
        } while (!after.isEmpty());
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aNameIsMadeOnceAndReplacedByItsLastKeyOnly() throws Exception {
        String name = newName();
        JsonNode first = made(name, "analyst", "[]", "");
        assertProblem(409, "already-exists", makeKey(name, "analyst", "[]", ""));
        assertProblem(409, "already-exists", makeKey("admin", "analyst", "[]", ""));
        String replaces = ",'replaces':'" + first.get("keyId").asString() + "'";
        assertThat(invalidPlaces(makeKey(newName(), "analyst", "[]", replaces))).containsExactly("/replaces");
        JsonNode second = made(name, "auditor", "['*']", replaces);
        assertProblem(401, "unauthorized", getAs(first.get("key").asString(), "/v1/keys/self"));
        assertThat(json(getAs(second.get("key").asString(), "/v1/keys/self"))
                        .get("role")
                        .asString())
                .isEqualTo("auditor");
        assertThat(listed(first.get("keyId").asString()).get("state").asString())
                .isEqualTo("revoked");
        assertThat(listed(second.get("keyId").asString()).get("replaces").asString())
                .isEqualTo(first.get("keyId").asString());
        assertThat(invalidPlaces(makeKey(name, "analyst", "[]", replaces))).containsExactly("/replaces");
    }

    @Test
    void everyBrokenRuleOfABodyIsNamedAtOnce() throws Exception {
        JsonNode problem = assertProblem(422, "validation-failed", postAs(key(), "/v1/keys", """
                                {"name":"Ana","role":"boss","datasets":"some","collections":["ok","Not",1],\
                                "expiresAt":"2020-01-01T00:00:00Z","replaces":"x","key":"mine"}"""));
        assertThat(places(problem))
                .containsExactlyInAnyOrder(
                        "/name",
                        "/role",
                        "/datasets",
                        "/collections/1",
                        "/collections/2",
                        "/expiresAt",
                        "/replaces",
                        "/key");
        for (String instant : List.of(
                "tomorrow",
                "2099-01-01",
                "2099-01-01T00:00:00",
                "2099-02-30T00:00:00Z",
                "2099-01-01T00:00Z",
                "+12099-01-01T00:00:00Z",
                "2099-01-01T24:00:01Z")) {
            assertThat(invalidPlaces(makeKey(newName(), "analyst", "[]", ",'expiresAt':'" + instant + "'")))
                    .containsExactly("/expiresAt");
        }
        assertThat(invalidPlaces(postAs(key(), "/v1/keys", "{}"))).containsExactlyInAnyOrder("/name", "/role");
        for (String name : List.of("", "a b", "é", "a/b", "1a", "a".repeat(64), "-a", "a\\n")) {
            assertProblem(422, "validation-failed", makeKey(name, "analyst", "[]", ""));
        }
        String many = "[" + "'a',".repeat(1000) + "'a']";
        assertProblem(422, "validation-failed", makeKey(newName(), "analyst", many, ""));
        assertStatus(
                201,
                makeKey(newName() + "._-" + "a".repeat(40), "analyst", "['*']", ",'expiresAt':null,'replaces':null"));
    }

    @Test
    void everythingIsGrantedByAStarAlone() throws Exception {
        for (String wrong : List.of("['*','a']", "['a','*']", "['*','*']", "'all'", "'*'")) {
            JsonNode problem = assertProblem(
                    422, "validation-failed", makeKey(newName(), "analyst", wrong, ",'collections':" + wrong));
            assertThat(places(problem)).as(wrong).containsExactly("/datasets", "/collections");
        }
        assertThat(invalidPlaces(makeKey(newName(), "analyst", "['a*']", ""))).containsExactly("/datasets/0");
        assertThat(json(makeKey(newName(), "analyst", "['*','a']", ""))
                        .get("detail")
                        .asString())
                .isEqualTo("datasets must be ids, or \"*\" alone: \"*\" was sent beside others");
        JsonNode key = made(newName(), "analyst", "['*']", ",'collections':null");
        String token = key.get("key").asString();
        JsonNode listed = listed(key.get("keyId").asString());
        assertThat(listed.get("datasets")).hasToString("[\"*\"]");
        assertThat(listed.get("collections")).hasToString("[]");
        String later = dataset("1000", "age,hours,sex\n1,1,Male\n");
        String named = keyFor("analyst", "['" + later + "']");
        for (String path : List.of("", "/budget", "/queries")) {
            assertThat(assertStatus(200, getAs(token, "/v1/datasets/" + later + path))
                            .body())
                    .isEqualTo(getAs(named, "/v1/datasets/" + later + path).body());
        }
        assertThat(getAs(token, "/v1/datasets?order=desc&limit=1000").body()).contains("\"id\":\"" + later + "\"");
        assertStatus(200, postAs(token, "/v1/datasets/" + later + "/queries/count", quoted("{'epsilon':1}")));
        assertProblem(404, "not-found", getAs(token, "/v1/datasets/never"));
    }

    @Test
    void revokingIsForGoodAndKnowsOnlyKeysThatWereMade() throws Exception {
        JsonNode key = made(newName(), "analyst", "['*']", "");
        String path = "/v1/keys/" + key.get("keyId").asString();
        assertStatus(200, getAs(key.get("key").asString(), "/v1/datasets"));
        assertStatus(204, send("DELETE", path, BodyPublishers.noBody()));
        assertProblem(401, "unauthorized", getAs(key.get("key").asString(), "/v1/datasets"));
        assertStatus(204, send("DELETE", path, BodyPublishers.noBody()));
        assertThat(listed(key.get("keyId").asString()).get("state").asString()).isEqualTo("revoked");
        for (String unknown : List.of("aaaaaaaaaaaaaaaa", "admin", "x", "self")) {
            assertProblem(404, "not-found", send("DELETE", "/v1/keys/" + unknown, BodyPublishers.noBody()));
        }
    }

    @Test
    void everythingThatIsNotAnOpenKeyAnswersWithTheSameBytes() throws Exception {
        JsonNode key = made(newName(), "analyst", "['*']", "");
        String token = key.get("key").asString();
        JsonNode other = made(newName(), "analyst", "['*']", "");
        String otherToken = other.get("key").asString();
        JsonNode over = made(newName(), "analyst", "['*']", "");
        assertStatus(204, send("DELETE", "/v1/keys/" + over.get("keyId").asString(), BodyPublishers.noBody()));
        Instant soon = Instant.now().plusMillis(1500);
        JsonNode expiring = made(newName(), "analyst", "['*']", ",'expiresAt':'" + soon + "'");
        assertStatus(200, getAs(expiring.get("key").asString(), "/v1/keys/self"));
        while (getAs(expiring.get("key").asString(), "/v1/keys/self").statusCode() == 200) {
            assertThat(Instant.now()).as("it expires").isBefore(soon.plusSeconds(1));
        }
        String name = newName();
        JsonNode replaced = made(name, "analyst", "['*']", "");
        made(name, "analyst", "['*']", ",'replaces':'" + replaced.get("keyId").asString() + "'");
        String secret = token.substring(24);
        String swapped = (secret.startsWith("A") ? "B" : "A") + secret.substring(1);
        List<String> headers = List.of(
                "Authorization: Bearer " + token.substring(0, 24) + swapped,
                "Authorization: Bearer " + token.substring(0, token.length() - 1),
                "Authorization: Bearer " + token.substring(0, 24),
                "Authorization: Bearer " + token + "A",
                "Authorization: Bearer " + otherToken.substring(0, 24) + secret,
                "Authorization: Bearer purser_aaaaaaaaaaaaaaaa_" + secret,
                "Authorization: Bearer purser_" + secret,
                "Authorization: Bearer " + token.toUpperCase(Locale.ROOT),
                "Authorization: Bearer " + token.replace("purser_", "Purser_"),
                "Authorization: Bearer purser_' OR 1=1 --_" + secret,
                "Authorization: Bearer purser_%_" + secret,
                "Authorization: Bearer purser_../../admin.key_" + secret,
                "Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiIsInJvbGUiOiJhZG1pbmlzdHJhdG9yIn0.",
                "Authorization: Bearer " + token + "," + token,
                "Authorization: Bearer " + token + " " + token,
                "Authorization: Basic "
                        + Base64.getEncoder().encodeToString((":" + token).getBytes(StandardCharsets.US_ASCII)),
                "Authorization: " + token,
                "Authorization: Bearer" + token,
                "Authorization: Bearer",
                "Authorization: Bearer " + "A".repeat(8000),
                "Authorization: Bearer " + token + "\r\nAuthorization: Bearer " + token,
                "Authorization: Bearer " + token + "\r\nAuthorization: Bearer " + key(),
                "Proxy-Authorization: Bearer " + token,
                "Cookie: Authorization=" + token,
                "X-Authorization: Bearer " + token,
                "Authorization: Bearer " + over.get("key").asString(),
                "Authorization: Bearer " + expiring.get("key").asString(),
                "Authorization: Bearer " + replaced.get("key").asString());
        String refused = bytes(SELF + "\r\n");
        assertThat(refused).startsWith("HTTP/1.1 401 ").contains("WWW-Authenticate: Bearer\r\n");
        for (String header : headers) {
            assertThat(bytes(SELF + header + "\r\n\r\n")).as(header).isEqualTo(refused);
        }
        assertThat(bytes("GET /v1/keys/self?access_token=" + token
                        + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .isEqualTo(refused);
        assertThat(bytes(SELF + "authorization: bEARER  " + token + " \r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
        assertStatus(200, getAs(token, "/v1/keys/self"));
    }

    @Test
    void aTokenOfAMegabyteIsRefusedBeforeItIsLookedAt() throws Exception {
        String reply = bytes(SELF + "Authorization: Bearer " + "A".repeat(1 << 20) + "\r\n\r\n");
        // The service may close the connection while the client still sends.
        assertThat(reply)
                .matches(
                        text -> text.isEmpty() || text.startsWith("HTTP/1.1 431 ") || text.startsWith("HTTP/1.1 400 "));
        assertThat(bytes(SELF + "Authorization: Bearer " + "A".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431 ");
    }

    /** The whole reply, without the parts that change with time. */
    private String bytes(String request) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            try {
                out.write(request.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
                InputStream in = socket.getInputStream();
                return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("Date: [^\r]*\r\n", "");
            } catch (SocketException closed) {
                return "";
            }
        }
    }

    @Test
    void afterARevocationNoRequestThatBeginsIsAnswered() throws Exception {
        JsonNode key = made(newName(), "analyst", "['*']", "");
        String token = key.get("key").asString();
        AtomicBoolean revoked = new AtomicBoolean();
        CountDownLatch answers = new CountDownLatch(50);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Integer>>> askers = Stream.generate(() -> threads.submit(() -> {
                        List<Integer> afterwards = new ArrayList<>();
                        while (afterwards.size() < 3) {
                            boolean late = revoked.get();
                            int status = getAs(token, "/v1/mechanisms").statusCode();
                            assertThat(status).isIn(200, 401);
                            answers.countDown();
                            if (late) {
                                afterwards.add(status);
                            }
                        }
                        return afterwards;
                    }))
                    .limit(8)
                    .toList();
            assertThat(answers.await(30, TimeUnit.SECONDS)).isTrue();
            assertStatus(204, send("DELETE", "/v1/keys/" + key.get("keyId").asString(), BodyPublishers.noBody()));
            revoked.set(true);
            for (Future<List<Integer>> asker : askers) {
                assertThat(asker.get()).containsExactly(401, 401, 401);
            }
        }
    }

    @Test
    void aQuestionWhoseBodyArrivesAfterTheRevocationIsNeitherAskedNorCharged() throws Exception {
        String id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        JsonNode key = made(newName(), "analyst", "['" + id + "']", "");

        assertThat(replyToALateBody(key, "POST /v1/datasets/" + id + "/queries/count", "application/json", """
                                {"epsilon":"1"}"""))
                .contains("HTTP/1.1 401 ", "WWW-Authenticate: Bearer");
        assertThat(spent(id)).isEqualTo("0");
    }

    @Test
    void noKeyIsMadeByOneThatWasRevokedMeanwhile() throws Exception {
        JsonNode key = made(newName(), "administrator", "['*']", "");
        String name = newName();

        assertThat(replyToALateBody(key, "POST /v1/keys", "application/json", """
                        {"name":"%s","role":"administrator","datasets":["*"]}""".formatted(name)))
                .contains("HTTP/1.1 401 ");
        assertThat(get("/v1/keys?limit=1000").body()).doesNotContain(name);
    }

    /** Like every refusal of reports, this refusal states the number of accepted reports. */
    @Test
    void noReportIsCountedOfACollectorWhoWasRevokedMeanwhile() throws Exception {
        String id = newId();
        assertStatus(201, postAs(key(), "/v1/collections", """
                {"id":"%s","protocol":"grr","categories":["a","b"],"epsilon":"1"}""".formatted(id)));
        JsonNode key = made(newName(), "collector", "[]", ",'collections':['" + id + "']");

        assertThat(replyToALateBody(key, "POST /v1/collections/" + id + "/reports", "application/json", """
                                {"reports":[{"reportId":"x","category":"a"}]}"""))
                .contains("HTTP/1.1 401 ", "\"accepted\":0", "\"duplicates\":0");
        assertThat(json(get("/v1/collections/" + id + "/estimate"))
                        .get("reports")
                        .asLong())
                .isZero();
    }

    @Test
    void noDatasetAndNoLimitComesFromACustodianWhoWasRevokedMeanwhile() throws Exception {
        String name = newName();
        String custodian = made(name, "custodian", "[]", "").get("key").asString();
        String id = newId();
        assertStatus(201, postAs(custodian, "/v1/datasets", registration(id, COLUMNS, "1", "add-or-remove-one", "")));
        String keyId = json(getAs(custodian, "/v1/keys/self")).get("keyId").asString();
        JsonNode next = made(name, "custodian", "[]", ",'replaces':'" + keyId + "'");

        assertThat(replyToALateBody(
                        next,
                        "PUT /v1/datasets/" + id + "/data",
                        "text/csv",
                        ofItsOwn(id, "age,hours,sex\n1,1,Male\n")))
                .contains("HTTP/1.1 401 ");
        assertThat(json(get("/v1/datasets/" + id)).get("state").asString()).isNotEqualTo("ready");
        assertThat(json(get("/v1/datasets/" + id + "/budget"))
                        .get("limit")
                        .get("epsilon")
                        .asString())
                .isEqualTo("1");
    }

    @Test
    void aStatementIsHeldToTheGrantsThatTheKeyHasWhenItHasArrived() throws Exception {
        String id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        JsonNode key = made(newName(), "analyst", "['" + id + "']", "");

        assertThat(replyToALateBody(
                        key, "POST /v1/statement", "text/plain", "SHOW TABLES", () -> assertStatus(200, ungrant(key))))
                .contains("\"data\":[]");
        assertThat(spent(id)).isEqualTo("0");
    }

    @Test
    void aQuestionIsAskedWithTheKeyAndAboutTheDatasetAtTheTimeOfItsBody() throws Exception {
        String id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        JsonNode key = made(newName(), "analyst", "['" + id + "']", "");
        String path = "/v1/datasets/" + id;
        String sessions = path + "/threshold-sessions";
        String opening = quoted("{'epsilon':1,'maxPositives':9,'threshold':50,'queries':'counts'}");
        String session = json(assertStatus(201, postAs(key.get("key").asString(), sessions, opening)))
                .get("sessionId")
                .asString();
        String spent = spent(id);
        Map<String, String> questions = Map.of(
                path + "/queries/count",
                quoted("{'epsilon':1}"),
                path + "/quotes/count",
                quoted("{'epsilon':1}"),
                "/v1/threshold-sessions/" + session + "/queries",
                quoted("{'sequence':1,'query':{'count':{}}}"),
                sessions,
                opening);
        for (Map.Entry<String, String> each : questions.entrySet()) {
            assertThat(replyToALateBody(
                            key, "POST " + each.getKey(), "application/json", each.getValue(), () -> ungrant(key)))
                    .contains("HTTP/1.1 404 ", "there is no such ");
            assertStatus(200, grant(key, "['" + id + "']"));
        }
        assertThat(spent(id)).isEqualTo(spent);
        for (Map.Entry<String, String> each : questions.entrySet()) {
            assertThat(replyToALateBody(
                            key,
                            "POST " + each.getKey(),
                            "application/json",
                            each.getValue(),
                            () -> grant(key, "['" + id + "','other']")))
                    .containsPattern("HTTP/1.1 20[01] ");
        }
        spent = spent(id);
        String count = path + "/queries/count";
        assertThat(replyToALateBody(
                        key,
                        "POST " + count,
                        "application/json",
                        quoted("{'epsilon':1}"),
                        () -> assertStatus(204, send("DELETE", path, BodyPublishers.noBody()))))
                .contains("HTTP/1.1 404 ", "there is no such dataset");
        assertThat(spent(id)).isEqualTo(spent);
    }

    /** What was bought of a synopsis is read once, because it never changes. */
    @Test
    void aSynopsisIsAskedWithTheGrantsAndThePurchasesAtTheTimeOfTheBody() throws Exception {
        String id = dataset("1000", "age,hours,sex\n1,1,Male\n");
        JsonNode key = made(newName(), "analyst", "['" + id + "']", "");
        String token = key.get("key").asString();
        String columns = quoted("{'epsilon':1,'columns':[{'column':'sex'}]}");
        String synopsis = "/v1/synopses/"
                + json(assertStatus(201, postAs(token, "/v1/datasets/" + id + "/synopses", columns)))
                        .get("queryId")
                        .asString();
        String path = synopsis + "/answers";
        String count = quoted("{'questions':[{'count':{}}]}");
        String before = assertStatus(200, postAs(token, path, count)).body();

        String late = replyToALateBody(
                key,
                "POST " + path,
                "application/json",
                count,
                () -> assertStatus(200, postAs(token, synopsis + "/refinements", quoted("{'epsilon':1}"))));
        assertThat(late)
                .contains(assertStatus(200, postAs(token, path, count)).body())
                .doesNotContain(before);

        String spent = spent(id);
        String more = quoted("{'epsilon':2}");
        for (String[] asked : new String[][] {{path, count}, {synopsis + "/refinements", more}}) {
            assertThat(replyToALateBody(key, "POST " + asked[0], "application/json", asked[1], () -> ungrant(key)))
                    .contains("HTTP/1.1 404 ")
                    .contains("there is no such synopsis");
            assertStatus(200, grant(key, "['" + id + "']"));
        }
        assertThat(spent(id)).isEqualTo(spent);
    }

    private HttpResponse<String> ungrant(JsonNode key) throws Exception {
        return grant(key, "[]");
    }

    private HttpResponse<String> grant(JsonNode key, String datasets) throws Exception {
        return send(
                "PATCH",
                "/v1/keys/" + key.get("keyId").asString(),
                BodyPublishers.ofString(quoted("{'datasets':" + datasets + "}")),
                "Content-Type",
                "application/json");
    }

    /** The reply if the key is revoked after the request began and before its body is sent. */
    private String replyToALateBody(JsonNode key, String operation, String type, String body) throws Exception {
        String keyId = key.get("keyId").asString();
        return replyToALateBody(
                key,
                operation,
                type,
                body,
                () -> assertStatus(204, send("DELETE", "/v1/keys/" + keyId, BodyPublishers.noBody())));
    }

    private String replyToALateBody(
            JsonNode key, String operation, String type, String body, Callable<HttpResponse<String>> meanwhile)
            throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            out.write((operation + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Type: "
                            + type + "\r\nContent-Length: " + body.length() + "\r\nAuthorization: Bearer "
                            + key.get("key").asString() + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            byte[] proceed = socket.getInputStream().readNBytes(12);
            assertThat(new String(proceed, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 100");
            socket.getInputStream().readNBytes(4);
            meanwhile.call();
            out.write(body.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void noReplyAndNoLogCarriesAHashAndNoLogASecret(CapturedOutput output) throws Exception {
        String name = newName();
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        logging.setLogLevel("org.springframework.web", LogLevel.TRACE);
        JsonNode key = made(name, "analyst", "['*']", "");
        logging.setLogLevel("org.springframework.web", null);
        assertThat(output.getAll()).contains("NewKeyView");
        String token = key.get("key").asString();
        TreeMap<String, byte[]> kept = new TreeMap<>();
        database.read(connection -> connection.first(
                "SELECT salt, hash FROM access_key WHERE name = ?",
                row -> {
                    kept.put("salt", row.getBytes("salt"));
                    kept.put("hash", row.getBytes("hash"));
                    return kept;
                },
                name));
        StringBuilder said = new StringBuilder();
        for (String path : List.of("/v1/keys?limit=1000", "/v1/keys/self", "/v1/mechanisms", "/v1/keys/x")) {
            said.append(get(path).body()).append(getAs(token, path).body());
        }
        said.append(makeKey(name, "analyst", "[]", "").body());
        said.append(
                makeKey(name, "x", "[]", ",'replaces':'" + token + "'").body().replace(token, ""));
        assertThat(said.toString()).doesNotContain(token.substring(24));
        assertThat(kept).hasSize(2);
        for (byte[] each : kept.values()) {
            for (String form : List.of(
                    HexFormat.of().formatHex(each),
                    Base64.getEncoder().encodeToString(each),
                    Base64.getUrlEncoder().withoutPadding().encodeToString(each))) {
                assertThat(said.toString()).doesNotContain(form);
                assertThat(output.getAll()).doesNotContain(form);
            }
        }
        assertThat(output.getAll()).doesNotContain(token.substring(24, 32));
        HttpResponse<String> shown = get("/v1/keys/self");
        assertThat(shown.headers().firstValue("Cache-Control"))
                .hasValueSatisfying(value -> assertThat(value).contains("no-store"));
    }

    @Test
    void aKeyThatSomethingElseChangedOpensNothing(CapturedOutput output) throws Exception {
        JsonNode key = made(newName(), "analyst", "[]", "");
        String id = key.get("keyId").asString();
        setRole(id, "administrator");
        HttpResponse<String> refusal = getAs(key.get("key").asString(), "/v1/keys/self");
        setRole(id, "analyst");
        assertThat(refusal.statusCode()).as(refusal.body()).isEqualTo(500);
        assertThat(refusal.body()).contains("internal-error", "key " + id + " is not used");
        assertThat(output.getAll()).contains("ERROR", "key " + id + " is not used");
        assertThat(getAs(key.get("key").asString(), "/v1/keys/self").statusCode())
                .isEqualTo(200);
    }

    /** The rule of the table stays, because other tests use it. */
    private void setRole(String keyId, String role) {
        database.write(Database.NO_ACCOUNT, connection -> {
            String rule = connection
                    .first(
                            "SELECT sql FROM sqlite_master WHERE name = 'access_key_changes_its_grants_alone'",
                            row -> row.getString(1))
                    .orElseThrow();
            connection.update("DROP TRIGGER access_key_changes_its_grants_alone");
            connection.update("UPDATE access_key SET role = ? WHERE key_id = ?", role, keyId);
            return connection.update(rule);
        });
    }
}
