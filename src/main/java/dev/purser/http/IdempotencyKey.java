package dev.purser.http;

/** The {@code Idempotency-Key} of a request that spends: the client's own, or a random one. */
public record IdempotencyKey(String value) {
    public static final String HEADER = "Idempotency-Key";
}
