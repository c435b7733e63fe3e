package dev.purser.ledger;

/**
 * What makes two requests the same request.
 *
 * @param principal the asker's name
 * @param operation method and path, for example {@code POST /v1/datasets/adult/queries/mean}
 * @param idempotencyKey 1 to 255 visible ASCII characters
 */
public record RequestIdentity(String principal, String operation, String idempotencyKey) {}
