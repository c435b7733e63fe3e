package dev.purser.faults;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The hash of an entry, computed anew from the documented canonical form and not from the service's code. */
final class EntryHash {
    static final String GENESIS = "0".repeat(64);

    private EntryHash() {}

    static String of(Booked entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text(bytes, entry.previousHash());
        boolean hasBlocks = entry.opened() != null || entry.window() != null;
        text(bytes, hasBlocks ? "purser-entry-2" : "purser-entry-1");
        text(bytes, entry.account());
        number(bytes, entry.sequence());
        number(bytes, entry.atMillis());
        text(bytes, entry.type());
        text(bytes, entry.analyst());
        text(bytes, entry.queryId());
        text(bytes, entry.kind());
        text(bytes, entry.requestHash());
        numbers(bytes, entry.charge());
        numbers(bytes, entry.limitAfter());
        numbers(bytes, entry.spentAfter());
        text(bytes, entry.allottedAnalyst());
        numbers(bytes, entry.allottedLimit());
        numbers(bytes, entry.allottedSpent());
        if (hasBlocks) {
            text(bytes, entry.opened());
            number(bytes, entry.window() == null ? -1 : entry.window().first());
            number(bytes, entry.window() == null ? -1 : entry.window().last());
            numbers(bytes, entry.windowAfter());
            numbers(bytes, entry.allottedAfter());
        }
        return Digests.sha256(bytes.toByteArray());
    }

    /** The hash that an entry has of the request that it paid for. */
    static String ofRequest(Asked asked) {
        return ofRequest(asked.dataset(), asked.operation(), asked.key(), asked.bodyDigest());
    }

    static String ofRequest(String dataset, String operation, String key, String bodyDigest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text(bytes, dataset);
        text(bytes, operation);
        text(bytes, key);
        text(bytes, bodyDigest);
        return Digests.sha256(bytes.toByteArray());
    }

    /** Three numbers, or three absent fields. */
    private static void numbers(ByteArrayOutputStream bytes, long[] numbers) {
        for (int i = 0; i < 3; i++) {
            text(bytes, numbers == null ? null : Long.toString(numbers[i]));
        }
    }

    private static void number(ByteArrayOutputStream bytes, long number) {
        text(bytes, Long.toString(number));
    }

    private static void text(ByteArrayOutputStream bytes, String text) {
        byte[] encoded = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        bytes.writeBytes(ByteBuffer.allocate(4)
                .putInt(text == null ? -1 : encoded.length)
                .array());
        bytes.writeBytes(encoded);
    }
}
