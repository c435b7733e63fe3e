package dev.purser.access;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is known of those that were seen last, by their names. Whoever is not seen for long is forgotten. */
final class Recent<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    private final int remembered;

    Recent(int remembered) {
        super(16, 0.75f, true);
        this.remembered = remembered;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > remembered;
    }
}
