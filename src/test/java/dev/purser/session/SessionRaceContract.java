package dev.purser.session;

import dev.purser.http.Sent;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Database;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Many questions of one session at once, also through instances that do not know each other. */
abstract class SessionRaceContract {
    private static final int PARALLEL = 64;
    private static final int MAX_POSITIVES = 5;

    @TempDir
    Path folder;

    private List<Database> databases;
    private List<OpenSessions> instances;

    /** The database of each instance. Two instances may have the same object. */
    abstract List<Database> open(Path home);

    @BeforeEach
    void openTheLedger() {
        databases = open(folder);
        instances = databases.stream()
                .map(database -> new OpenSessions(database, OpenSessions.EMPTY))
                .toList();
        instances.getFirst().open.withAccount(OpenInteractions.ACCOUNT, "10");
    }

    @AfterEach
    void closeTheLedger() throws SQLException {
        OpenInteractions open = instances.getFirst().open;
        assertThat(open.ledger.reservations("", 10)).isEmpty();
        assertThat(open.ledger.verify(OpenInteractions.ACCOUNT).fault()).isNull();
        for (Database database : new LinkedHashSet<>(databases)) {
            database.close();
        }
    }

    private OpenSessions instance(int caller) {
        return instances.get(caller % instances.size());
    }

    private String opened(String key, String payment) {
        return opened(instances.getFirst(), key, payment).sessionId();
    }

    private static ThresholdSessions.Reply opened(OpenSessions instance, String key, String payment) {
        return instance.open(key, OpenSessions.bytes("""
                {"epsilon":"0.1","threshold":0,"maxPositives":%d,"queries":"counts",\
                "payment":"%s"}""".formatted(MAX_POSITIVES, payment)));
    }

    /** The result of each call. */
    private static <T> List<T> together(List<Callable<T>> calls) throws Exception {
        List<Future<T>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            calls.forEach(call -> all.add(threads.submit(call)));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> each : all) {
            results.add(each.get());
        }
        return results;
    }

    /** The body of a reply, or the type of the problem; asks again as long as another instance is in the way. */
    private static String persistently(Callable<ThresholdSessions.Reply> request) throws Exception {
        while (true) {
            try {
                return new String(request.call().body(), UTF_8);
            } catch (ProblemException problem) {
                if (problem.type() != ProblemType.TEMPORARILY_UNAVAILABLE
                        && problem.type() != ProblemType.REQUEST_IN_FLIGHT) {
                    return problem.type().name();
                }
            }
        }
    }

    private Interaction session(String id) {
        OpenSessions first = instances.getFirst();
        return first.sessions.present(first.named(id));
    }

    private List<String> stored(String id) {
        return instances.getFirst().sessions.steps(session(id), 0, 10_000).stream()
                .map(StoredStep::body)
                .map(body -> new String(body, UTF_8))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"upfront", "per-positive"})
    void ofDifferentQuestionsWithOneNumberOneIsAnswered(String payment) throws Exception {
        String id = opened("k", payment);
        List<Callable<String>> calls = new ArrayList<>();
        for (int caller = 0; caller < PARALLEL; caller++) {
            OpenSessions instance = instance(caller);
            Sent<SessionQuestion> question = OpenSessions.question("""
                    {"sequence":1,"query":{"count":{"where":[{"column":"age","above":%d}]}}}""", caller);
            calls.add(() -> persistently(() -> instance.ask(id, question)));
        }

        List<String> results = together(calls);

        assertThat(results)
                .filteredOn(result -> result.startsWith("{"))
                .isEqualTo(stored(id))
                .hasSize(1);
        assertThat(results)
                .filteredOn(result -> !result.startsWith("{"))
                .hasSize(PARALLEL - 1)
                .containsOnly(ProblemType.VALIDATION_FAILED.name());
        assertThat(session(id).charges()).isEqualTo(1);
    }

    /** All who ask the same question get the same reply, and all replies together are one session. */
    @ParameterizedTest
    @ValueSource(strings = {"upfront", "per-positive"})
    void racedSequencesAreOneSerialSession(String payment) throws Exception {
        String id = opened("k", payment);
        List<Callable<Map<Long, String>>> calls = new ArrayList<>();
        for (int caller = 0; caller < PARALLEL; caller++) {
            OpenSessions instance = instance(caller);
            calls.add(() -> {
                Map<Long, String> heard = new HashMap<>();
                String outcome = "{";
                for (long sequence = 1; outcome.startsWith("{"); sequence++) {
                    Sent<SessionQuestion> question = OpenSessions.count(sequence);
                    outcome = persistently(() -> instance.ask(id, question));
                    heard.put(sequence, outcome);
                }
                return heard;
            });
        }

        List<Map<Long, String>> heard = together(calls);

        List<String> stored = stored(id);
        Map<Long, String> serial = new HashMap<>();
        for (int i = 0; i < stored.size(); i++) {
            serial.put(i + 1L, stored.get(i));
        }
        serial.put(stored.size() + 1L, ProblemType.SESSION_CLOSED.name());
        assertThat(heard).containsOnly(serial);
        assertThat(stored)
                .filteredOn(body -> OpenSessions.isAbove(OpenSessions.bytes(body)))
                .hasSize(MAX_POSITIVES);
        Interaction session = session(id);
        assertThat(session.closedBecause()).isEqualTo("positives");
        assertThat(session.sealedState()).isNull();
        assertThat(session.charges()).isEqualTo(payment.equals("upfront") ? 1 : MAX_POSITIVES);
        assertThat(session.charged().epsilon()).hasToString("0.1");
    }

    @Test
    void ofOpeningsWithOneKeyOneIsCharged() throws Exception {
        List<Callable<String>> calls = new ArrayList<>();
        for (int caller = 0; caller < PARALLEL; caller++) {
            OpenSessions instance = instance(caller);
            calls.add(() -> persistently(() -> opened(instance, "k", "upfront")));
        }

        Set<String> replies = new LinkedHashSet<>(together(calls));

        assertThat(replies).singleElement().asString().startsWith("{");
        assertThat(instances
                        .getFirst()
                        .open
                        .ledger
                        .budget(OpenInteractions.ACCOUNT)
                        .spent()
                        .epsilon())
                .hasToString("0.1");
    }

    /** A request that loses a lock to another instance is tried again, so that no request is refused for ever. */
    @Test
    void manySessionsOfOneAccountGoOnBesideEachOther() throws Exception {
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int caller = 0; caller < 16; caller++) {
            OpenSessions instance = instance(caller);
            String key = "k" + caller;
            calls.add(() -> {
                String reply = persistently(() -> opened(instance, key, "per-positive"));
                String id = OpenSessions.JSON.readTree(reply).get("sessionId").asString();
                int asked = 0;
                String outcome = reply;
                while (outcome.startsWith("{")) {
                    Sent<SessionQuestion> question = OpenSessions.count(++asked);
                    outcome = persistently(() -> instance.ask(id, question));
                }
                assertThat(outcome).isEqualTo(ProblemType.SESSION_CLOSED.name());
                return asked;
            });
        }
        assertThat(together(calls)).allMatch(asked -> asked > MAX_POSITIVES);
        assertThat(instances
                        .getFirst()
                        .open
                        .ledger
                        .budget(OpenInteractions.ACCOUNT)
                        .spent()
                        .epsilon())
                .hasToString("1.6");
    }
}
