package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;

/**
 * A dataset whose rows are divided into blocks, and what the clients know about it. Block b is named b and has 16 · 2^b
 * rows, so the number of rows of a window tells which blocks it has.
 */
final class DividedDataset {
    static final int BLOCKS = 10;

    /** The number of blocks that are loaded before the clients ask. */
    static final int FIRST_LOADED = 3;

    private static final int FEWEST_ROWS = 16;

    private static final String REGISTRATION = """
            {"id": "%s", "columns": [{"name": "day", "type": "integer", "lower": 0, "upper": %d}],
             "privacyUnit": {"type": "row"}, "neighboringRelation": "add-or-remove-one", "maxRows": 10000,
             "budget": {"epsilon": "%s"}, "accountant": "pure",
             "blocks": {"column": "day", "width": 1, "rowsKeepTheirBlock": true}, "declaredPublic": true}
            """;

    private enum Loading {
        NOT_SENT,
        UNKNOWN,
        LOADED
    }

    private final TestDataset dataset;
    private final AtomicReferenceArray<Loading> loading = new AtomicReferenceArray<>(BLOCKS);
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final AtomicLongArray paid = new AtomicLongArray(BLOCKS);
    private final AtomicLongArray refusedAt = new AtomicLongArray(BLOCKS);
    private volatile long limitNanos;

    DividedDataset(String id, long limitNanos) {
        this.dataset = new TestDataset(id, limitNanos);
        this.limitNanos = limitNanos;
        IntStream.range(0, BLOCKS).forEach(block -> loading.set(block, Loading.NOT_SENT));
    }

    void register(Api api) throws IOException, InterruptedException {
        api.post("/v1/datasets", REGISTRATION.formatted(id(), BLOCKS - 1, Asked.decimal(limitNanos)));
    }

    /** Raises the limit of every block. */
    void raise(Api api, long nanos) throws IOException, InterruptedException {
        limitNanos += nanos;
        api.putJson("/v1/datasets/" + id() + "/budget", "{\"epsilon\": \"" + Asked.decimal(limitNanos) + "\"}");
    }

    TestDataset dataset() {
        return dataset;
    }

    String id() {
        return dataset.id();
    }

    long limitNanos() {
        return limitNanos;
    }

    static String csv(int block) {
        return "day\n" + (block + "\n").repeat((int) rows(new BlockWindow(block, block)));
    }

    static long rows(BlockWindow window) {
        return blocks(window).mapToLong(block -> (long) FEWEST_ROWS << block).sum();
    }

    static IntStream blocks(BlockWindow window) {
        return IntStream.rangeClosed(window.first(), window.last());
    }

    /** The blocks that a request or an answer names; null for {@code {"latest": n}} and for none. */
    static BlockWindow window(JsonNode named) {
        return named.has("from")
                ? new BlockWindow(
                        Integer.parseInt(named.get("from").asString()),
                        Integer.parseInt(named.get("to").asString()))
                : null;
    }

    void sends(int block) {
        loading.compareAndSet(block, Loading.NOT_SENT, Loading.UNKNOWN);
    }

    /** Notes that a block is loaded, and says whether this was not known before. */
    boolean isLoadedNow(int block) {
        return loading.getAndSet(block, Loading.LOADED) != Loading.LOADED;
    }

    boolean isLoaded(int block) {
        return loading.get(block) == Loading.LOADED;
    }

    boolean isUnknown(int block) {
        return loading.get(block) == Loading.UNKNOWN;
    }

    boolean wasNeverSent(int block) {
        return loading.get(block) == Loading.NOT_SENT;
    }

    /** A run of loaded blocks, at most this many. */
    BlockWindow someLoaded(RandomGenerator random, int most) {
        int[] loaded = IntStream.range(0, BLOCKS).filter(this::isLoaded).toArray();
        int first = loaded[random.nextInt(loaded.length)];
        int last = first;
        while (last + 1 < BLOCKS && last - first + 1 < most && isLoaded(last + 1)) {
            last++;
        }
        return new BlockWindow(first, last);
    }

    /** Notes an answer, of which every block of the window paid the charge. */
    void answered(Asked asked, BlockWindow window) {
        if (answered.add(asked.key())) {
            blocks(window).forEach(block -> paid.addAndGet(block, asked.epsilonNanos()));
        }
    }

    /** The most that the answers seen have cost one block of the window. */
    long mostPaid(BlockWindow window) {
        return blocks(window).mapToLong(paid::get).max().orElseThrow();
    }

    /** Notes that a refusal stated this amount as spent of these blocks. */
    void refusedAt(BlockWindow window, long spent) {
        blocks(window).forEach(block -> refusedAt.accumulateAndGet(block, spent, Math::max));
    }

    /** The least that is spent of each block, by the answers and refusals that were seen. */
    LongStream leastSpent() {
        return IntStream.range(0, BLOCKS).mapToLong(block -> Math.max(paid.get(block), refusedAt.get(block)));
    }
}
