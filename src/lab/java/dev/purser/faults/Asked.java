package dev.purser.faults;

import dev.purser.privacy.BlockWindow;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A question, a plan, the purchase of a synopsis or the refinement of an answer as a client sends it, again and again
 * if need be.
 *
 * @param principal who asks
 * @param key its Idempotency-Key
 * @param kind the last part of the path, for example {@code count}; {@code plan} for a plan, {@code synopsis} for a
 *     synopsis; for a refinement, the id of the answer after {@value #REFINEMENT}
 * @param epsilonNanos what the body asks to be charged, in nano-epsilon; 0 for a body that has to be refused
 */
record Asked(String principal, String key, String dataset, String kind, long epsilonNanos, String body) {
    static final String ADMINISTRATOR = "admin";
    static final String PLAN = "plan";
    static final String SYNOPSIS = "synopsis";
    private static final String REFINEMENT = "refinement of ";

    private static final JsonMapper JSON = new JsonMapper();

    static Asked byAdministrator(String key, String dataset, String kind, long epsilonNanos, String body) {
        return new Asked(ADMINISTRATOR, key, dataset, kind, epsilonNanos, body);
    }

    /** A refinement of the answer with this id. */
    static Asked refining(String queryId, String key, String dataset, long nanos) {
        String body = "{\"epsilon\": \"%s\"}".formatted(decimal(nanos));
        return byAdministrator(key, dataset, REFINEMENT + queryId, nanos, body);
    }

    /** A count of the rows of blocks. */
    static Asked countOf(BlockWindow window, String key, String dataset, long nanos) {
        return countOf(
                "{\"from\": \"%d\", \"to\": \"%d\"}".formatted(window.first(), window.last()), key, dataset, nanos);
    }

    static Asked countOf(String blocks, String key, String dataset, long nanos) {
        String body = "{\"epsilon\": \"%s\", \"blocks\": %s}".formatted(decimal(nanos), blocks);
        return byAdministrator(key, dataset, "count", nanos, body);
    }

    /** The blocks that the request names; a missing node if it names none. */
    JsonNode blocks() {
        return JSON.readTree(body).path("blocks");
    }

    /** Whether the request can be about these blocks: it names them, or it asks for as many latest blocks. */
    boolean canMean(BlockWindow window) {
        BlockWindow named = DividedDataset.window(blocks());
        return named == null ? blocks().path("latest").asInt() == window.size() : named.equals(window);
    }

    String path() {
        if (isRefinement()) {
            return "/v1/queries/" + refines() + "/refinements";
        }
        return "/v1/datasets/" + dataset
                + switch (kind) {
                    case PLAN -> "/queries";
                    case SYNOPSIS -> "/synopses";
                    default -> "/queries/" + kind;
                };
    }

    /** Whether this is many questions at once. */
    boolean isPlan() {
        return kind.equals(PLAN);
    }

    /** Whether it buys a synopsis. */
    boolean isSynopsis() {
        return kind.equals(SYNOPSIS);
    }

    /** Whether it refines an answer. */
    boolean isRefinement() {
        return kind.startsWith(REFINEMENT);
    }

    /** The id of the answer that it refines. */
    String refines() {
        return kind.substring(REFINEMENT.length());
    }

    /** The free questions about a synopsis. Their answers depend on all numbers of the synopsis. */
    String freeQuestions() {
        String column = JSON.readTree(body).at("/columns/0/column").asString();
        return """
                {"questions": [{"count": {"where": [{"column": "%1$s", "atLeast": 60}]}},
                 {"histogram": {"column": "%1$s", "edges": [0, 20, 60, 126]}}]}""".formatted(column);
    }

    /** What each question of a plan asks to be charged, in nano-epsilon. */
    List<Long> nanosOfItems() {
        List<Long> nanos = new ArrayList<>();
        JSON.readTree(body)
                .get("questions")
                .forEach(item -> nanos.add(nanos(item.at("/request/epsilon").asString())));
        return nanos;
    }

    String operation() {
        return "POST " + path();
    }

    boolean isValid() {
        return epsilonNanos > 0;
    }

    String bodyDigest() {
        return Digests.sha256(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Nano-epsilon as the plain decimal that requests and responses carry. */
    static String decimal(long nanos) {
        BigDecimal amount = BigDecimal.valueOf(nanos, 9).stripTrailingZeros();
        return amount.setScale(Math.max(0, amount.scale())).toPlainString();
    }

    static long nanos(String decimal) {
        return new BigDecimal(decimal).movePointRight(9).longValueExact();
    }
}
