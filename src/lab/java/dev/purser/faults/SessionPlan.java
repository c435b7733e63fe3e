package dev.purser.faults;

import java.nio.charset.StandardCharsets;

/**
 * A threshold session as it is declared.
 *
 * @param key its Idempotency-Key
 * @param epsilonNanos the most that it is charged, in nano-epsilon
 * @param release {@code indices}, {@code gaps} or {@code values}
 * @param isPerPositive whether each instance is charged by itself
 * @param maxQueries 0 if there is no limit
 */
record SessionPlan(
        String key,
        String dataset,
        long epsilonNanos,
        int threshold,
        int maxPositives,
        String release,
        boolean isPerPositive,
        int maxQueries) {
    String path() {
        return "/v1/datasets/" + dataset + "/threshold-sessions";
    }

    String operation() {
        return "POST " + path();
    }

    String body() {
        return """
                {"epsilon": "%s", "threshold": %d, "maxPositives": %d, "release": "%s", "payment": "%s",\
                 "queries": "counts"%s}""".formatted(
                        Asked.decimal(epsilonNanos),
                        threshold,
                        maxPositives,
                        release,
                        isPerPositive ? "per-positive" : "upfront",
                        maxQueries == 0 ? "" : ", \"maxQueries\": " + maxQueries);
    }

    /** One charge of the session, in nano-epsilon. */
    long chargeNanos() {
        return isPerPositive ? epsilonNanos / maxPositives : epsilonNanos;
    }

    static String digest(String body) {
        return Digests.sha256(body.getBytes(StandardCharsets.UTF_8));
    }
}
