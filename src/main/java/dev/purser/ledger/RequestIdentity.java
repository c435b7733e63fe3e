package dev.purser.ledger;

/**
 * The identity of a request. Two requests with equal identities are attempts of one request.
 *
 * @param principal the asker's name
 * @param operation method and path, for example {@code POST /v1/datasets/adult/queries/mean}
 * @param idempotencyKey 1 to 255 visible ASCII characters
 */
public record RequestIdentity(String principal, String operation, String idempotencyKey) {}
