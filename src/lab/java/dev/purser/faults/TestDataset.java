package dev.purser.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/** A dataset with a budget for a number of questions, and what the clients and the checks know about it. */
final class TestDataset {
    /** A column of 400,000 values. */
    static final String MANY_CELLS = "income";

    private static final String REGISTRATION = """
            {"id": "%s", "title": "Fault harness",
             "columns": [
               {"name": "age", "type": "integer", "lower": 0, "upper": 125},
               {"name": "sex", "type": "category", "categories": ["Female", "Male"]},
               {"name": "income", "type": "integer", "lower": 0, "upper": 399999}],
             "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 1000,
             "budget": {"epsilon": "%s", "delta": "0"}, "accountant": "pure",
             "source": {"type": "upload"}, "declaredPublic": true}
            """;
    private static final int ROWS = 300;

    private final String id;
    private final long limitNanos;
    private final Queue<Exchange> unknown = new ConcurrentLinkedQueue<>();
    private final List<Exchange> answered = new ArrayList<>();
    private final Map<String, Exchange> refinable = new ConcurrentHashMap<>();
    private final Map<String, Exchange> refinedBy = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<Exchange> synopses = new CopyOnWriteArrayList<>();
    private volatile List<Exchange> synopsesBeforeRestart = List.of();
    private volatile boolean exhausted;
    private StoredBooks.Summary seen = new StoredBooks.Summary(0, 0, 0, EntryHash.GENESIS);

    TestDataset(String id, long limitNanos) {
        this.id = id;
        this.limitNanos = limitNanos;
    }

    void register(Api api) throws IOException, InterruptedException {
        api.post("/v1/datasets", REGISTRATION.formatted(id, Asked.decimal(limitNanos)));
        StringBuilder csv = new StringBuilder("age,sex,income\n");
        for (int row = 0; row < ROWS; row++) {
            csv.append(row % 90)
                    .append(row % 3 == 0 ? ",Female," : ",Male,")
                    .append(row * 1_300)
                    .append('\n');
        }
        api.putCsv("/v1/datasets/" + id + "/data", csv.toString());
    }

    String id() {
        return id;
    }

    long limitNanos() {
        return limitNanos;
    }

    Queue<Exchange> unknown() {
        return unknown;
    }

    void answered(Exchange exchange) {
        synchronized (answered) {
            answered.add(exchange);
        }
    }

    /** Some exchange that has its answer, or null. */
    Exchange someAnswered(RandomGenerator random) {
        synchronized (answered) {
            return answered.isEmpty() ? null : answered.get(random.nextInt(answered.size()));
        }
    }

    /** Notes a count that can be refined. Its refinement may be refined too. */
    void isRefinable(Exchange exchange) {
        refinable.put(exchange.queryId(), exchange);
    }

    /** A count that can or could be refined, or null. */
    Exchange someRefinable(RandomGenerator random) {
        List<Exchange> all = List.copyOf(refinable.values());
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    /** The count with this id. */
    Exchange refinable(String queryId) {
        return refinable.get(queryId);
    }

    /** Notes the refinement of an answer, and gives the refinement that was noted first; null if none was. */
    Exchange refined(String queryId, Exchange by) {
        return refinedBy.putIfAbsent(queryId, by);
    }

    /** Notes a synopsis whose purchase was answered, and says whether this was not known before. */
    boolean bought(Exchange exchange) {
        return synopses.addIfAbsent(exchange);
    }

    /** All synopses whose purchase was answered. */
    List<Exchange> synopses() {
        return List.copyOf(synopses);
    }

    /** Notes that all services were killed and are started again. */
    void restarts() {
        synopsesBeforeRestart = synopses();
    }

    /** The synopses whose purchase was answered before the last restart. */
    List<Exchange> synopsesBeforeRestart() {
        return synopsesBeforeRestart;
    }

    /** Notes that a question was refused because too little budget remained. */
    void isExhausted() {
        exhausted = true;
    }

    boolean wasExhausted() {
        return exhausted;
    }

    /** The account as the last check saw it. */
    StoredBooks.Summary seen() {
        return seen;
    }

    void saw(StoredBooks.Summary now) {
        seen = now;
    }
}
