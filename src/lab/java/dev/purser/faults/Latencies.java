package dev.purser.faults;

import java.util.ArrayList;
import java.util.List;

/** How long requests took. */
final class Latencies {
    private final List<Long> nanos = new ArrayList<>();

    synchronized void took(long time) {
        nanos.add(time);
    }

    /** The latency in milliseconds that this percentage of the requests stayed below. */
    synchronized long percentile(int percent) {
        if (nanos.isEmpty()) {
            return Long.MAX_VALUE;
        }
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / 1_000_000;
    }

    @Override
    public synchronized String toString() {
        return "%d; median %d ms, 99th percentile %d ms, longest %d ms"
                .formatted(nanos.size(), percentile(50), percentile(99), percentile(100));
    }
}
