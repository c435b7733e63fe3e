package dev.purser.session;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetsForTests;
import dev.purser.digest.Sha256;
import dev.purser.engine.DataEngine;
import dev.purser.engine.DataEngines;
import dev.purser.interactive.OpenInteractions;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.ledger.RequestIdentity;
import dev.purser.mechanism.Buckets;
import dev.purser.mechanism.Sensitive;
import dev.purser.query.ComparedStatistic;
import dev.purser.query.InFlight;
import dev.purser.store.Database;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;

/** Threshold sessions over a real database, as an instance of the service has them. */
public final class OpenSessions {
    static final Dataset DATASET =
            DatasetsForTests.rows(OpenInteractions.ACCOUNT, DatasetsForTests.integer("age", 0, 125));

    /** No rows, so that every count is 0. */
    public static final DataEngine EMPTY = (debit, dataset, requests) -> Sensitive.of(requests.stream()
            .map(request -> Buckets.over(request.edges()).build())
            .toList());

    static final JsonMapper JSON =
            JsonMapper.builder().addModule(new PrivacyJson()).build();

    public final OpenInteractions open;
    public final ThresholdSessions sessions;

    public OpenSessions(Database database, DataEngine engine) {
        open = new OpenInteractions(database, Clock.systemUTC());
        sessions = new ThresholdSessions(
                open.interactions,
                open.ledger,
                new DataEngines(engine, engine),
                new InFlight(),
                new SessionSettings(Duration.ofHours(24), 100),
                JSON);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public ThresholdSessions.Reply open(String key, byte[] body) {
        return sessions.open(DATASET, new RequestIdentity("ana", "POST /sessions", key), body);
    }

    public ThresholdSessions.Reply ask(String sessionId, ThresholdSessions.SentQuestion question) {
        return sessions.ask(sessions.named(sessionId).orElseThrow(), question, () -> DATASET);
    }

    /** Asks for the number of all rows. */
    public static ThresholdSessions.SentQuestion count(long sequence) {
        return new Sent(sequence, bytes("{\"sequence\":" + sequence + ",\"query\":{\"count\":{}}}"));
    }

    record Sent(long sequence, byte[] body) implements ThresholdSessions.SentQuestion {
        @Override
        public byte[] digest() {
            return Sha256.of(body);
        }

        @Override
        public ComparedStatistic read(Declaration declaration, Dataset dataset) {
            return JsonDocument.parse(body).read(in -> {
                in.required("sequence");
                var question = declaration.question(in.required("query"), dataset);
                return in.complete(question::orElseThrow);
            });
        }
    }

    static boolean isAbove(byte[] outcome) {
        return JSON.readTree(outcome).get("outcome").asString().equals("ABOVE");
    }
}
