package dev.purser.json;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of parsed documents that never change, by ids that are never reused, so no entry becomes invalid. The least
 * recently used documents are evicted when all together exceed 1 MB of JSON, because a list of short texts takes twenty
 * times its JSON in memory.
 *
 * @param <T> the type of a parsed document
 */
public final class ParsedDocuments<T> {
    private static final long MAX_BYTES = 1L << 20;

    private final Map<String, Parsed<T>> byId = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Parsed<T>(T value, int bytes) {}

    /** The document with this id, if it was parsed before and not evicted. */
    public synchronized @Nullable T find(String id) {
        Parsed<T> parsed = byId.get(id);
        return parsed == null ? null : parsed.value();
    }

    /**
     * Parses and caches a committed document. A document that is not committed may be rolled back and come again with
     * other content.
     */
    public T parseAndRemember(String id, byte[] json, Function<byte[], T> parser) {
        T value = parser.apply(json);
        remember(id, new Parsed<>(value, json.length));
        return value;
    }

    private synchronized void remember(String id, Parsed<T> parsed) {
        if (byId.putIfAbsent(id, parsed) == null) {
            bytes += parsed.bytes();
        }
        var leastRecent = byId.values().iterator();
        while (bytes > MAX_BYTES) {
            bytes -= leastRecent.next().bytes();
            leastRecent.remove();
        }
    }
}
