package dev.purser.dataset;

import dev.purser.json.JsonDocument;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Registrations that were parsed, so that a question does not parse one again. A registration never changes and an id is never
 * used again, so that nothing ever ends their validity. The ones used least recently leave when all together exceed 1 MB of JSON:
 * a list of short categories takes twenty times its JSON.
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

    /** Parses the registration of a dataset that is committed: one that is rolled back may come again as another. */
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
