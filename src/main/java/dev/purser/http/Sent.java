package dev.purser.http;

/**
 * A body that was read, for handlers that keep its bytes or compare them.
 *
 * @param bytes the bytes as they were sent
 */
public record Sent<T>(byte[] bytes, T value) {}
