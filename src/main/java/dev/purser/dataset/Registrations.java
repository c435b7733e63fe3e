package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of parsed registrations. A registration never changes and an id is never reused, so no entry becomes invalid.
 * The least recently used ones are evicted when all together exceed 1 MB of JSON: a list of short categories takes
 * twenty times its JSON in memory.
 */
final class Registrations {
    private static final long MAX_BYTES = 1L << 20;

    private final Map<String, Parsed> byId = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    private record Parsed(Registration registration, int bytes) {}

    /** The registration of a dataset, if it was parsed before. */
    synchronized @Nullable Registration find(String id) {
        Parsed parsed = byId.get(id);
        return parsed == null ? null : parsed.registration();
    }

    static Registration parse(byte[] json) {
        return JsonDocument.parse(json).read(RegistrationReader::read);
    }

    /**
     * Parses and caches a committed registration. One that is not committed may be rolled back and come again with
     * other content.
     */
    Registration parseAndRemember(String id, byte[] json) {
        Registration registration = parse(json);
        remember(id, new Parsed(registration, json.length));
        return registration;
    }

    private synchronized void remember(String id, Parsed parsed) {
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
