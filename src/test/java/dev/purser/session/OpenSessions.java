package dev.purser.session;

import dev.purser.access.Grants;
import dev.purser.access.Principal;
import dev.purser.access.Role;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.dataset.VisibleDatasets;
import dev.purser.engine.DataEngine;
import dev.purser.engine.DataEngines;
import dev.purser.http.Sent;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.query.ChargedKinds;
import dev.purser.query.InFlight;
import dev.purser.query.ReleaseSettings;
import dev.purser.query.ReleaseTimes;
import dev.purser.store.Database;
import dev.purser.store.Secret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

import static dev.purser.json.JsonText.quoted;

/** Threshold sessions over a real database, as in an instance of the service. */
public final class OpenSessions {
    static final Dataset DATASET =
            DatasetsForTests.rows(OpenInteractions.ACCOUNT, DatasetsForTests.integer("age", 0, 125));

    /** An engine without rows, so that every count is 0. */
    public static final DataEngine EMPTY = (debit, dataset, requests) -> Sensitive.of(requests.stream()
            .map(request -> Buckets.over(request.edges()).build())
            .toList());

    static final JsonMapper JSON =
            JsonMapper.builder().addModule(new PrivacyJson()).build();

    private static final Principal ANYBODY =
            new Principal("root", Role.ADMINISTRATOR, null, Map.of(), Grants.ALL, Grants.ALL);

    private final Dataset dataset;
    public final OpenInteractions open;
    public final ThresholdSessions sessions;

    public OpenSessions(Database database, DataEngine engine) {
        this(database, engine, DATASET);
    }

    OpenSessions(Database database, DataEngine engine, Dataset dataset) {
        this(database, engine, dataset, DatasetsForTests.visible(() -> dataset));
    }

    OpenSessions(Database database, DataEngine engine, Dataset dataset, VisibleDatasets datasets) {
        this.dataset = dataset;
        open = new OpenInteractions(database, Clock.systemUTC());
        sessions = new ThresholdSessions(
                datasets,
                open.interactions,
                open.ledger,
                new DataEngines(engine, engine),
                new InFlight(),
                new ReleaseTimes(
                        new ReleaseSettings(
                                false, Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(1), Map.of()),
                        new ChargedKinds(List.of()),
                        new SimpleMeterRegistry()),
                new SessionSettings(new Secret(""), new SessionSettings.Open(Duration.ofHours(24), 100)),
                JSON);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public ThresholdSessions.Reply open(String key, byte[] body) {
        return open(new RequestIdentity("ana", "POST /sessions", key), body);
    }

    ThresholdSessions.Reply open(RequestIdentity identity, byte[] body) {
        SessionDeclaration declaration = JsonDocument.parse(body).read(in -> SessionDeclaration.read(in, dataset));
        return sessions.open(dataset, identity, new Sent<>(body, declaration));
    }

    public ThresholdSessions.Reply ask(String sessionId, Sent<SessionQuestion> question) {
        return sessions.ask(ANYBODY, named(sessionId), question);
    }

    /** The session of this id, whoever owns it. */
    public Interaction named(String sessionId) {
        return sessions.visible(ANYBODY, sessionId);
    }

    /** Asks for the number of all rows. */
    public static Sent<SessionQuestion> count(long sequence) {
        return question(quoted("{'sequence':%d,'query':{'count':{}}}"), sequence);
    }

    /** A question as sent: JSON with these values in it. */
    static Sent<SessionQuestion> question(String json, Object... values) {
        byte[] body = bytes(json.formatted(values));
        return new Sent<>(body, SessionQuestion.of(JsonDocument.parse(body)));
    }

    static boolean isAbove(byte[] outcome) {
        return JSON.readTree(outcome).get("outcome").asString().equals("ABOVE");
    }
}
