package dev.purser.access;

import java.util.LinkedHashMap;
import java.util.Map;

/** Values of the names that were seen last. A name that is not seen for long is forgotten. */
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
