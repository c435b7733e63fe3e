package dev.purser.faults;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What a run has counted and what it found broken. */
final class Findings {
    private static final int ENOUGH = 200;

    private final Queue<Broken> broken = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    void broken(String invariant, String what, String key) {
        if (broken.size() < ENOUGH) {
            broken.add(new Broken(invariant, what, key));
        }
    }

    void broken(String invariant, String what) {
        broken(invariant, what, "");
    }

    /** Notes that an invariant is broken, unless its condition holds. */
    void holds(boolean condition, String invariant, String what, String key) {
        if (!condition) {
            broken(invariant, what, key);
        }
    }

    void count(String name) {
        count(name, 1);
    }

    void count(String name, long times) {
        counts.computeIfAbsent(name, missing -> new LongAdder()).add(times);
    }

    long counted(String name) {
        LongAdder count = counts.get(name);
        return count == null ? 0 : count.sum();
    }

    Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((name, count) -> sums.put(name, count.sum()));
        return sums;
    }

    List<Broken> broken() {
        return List.copyOf(broken);
    }
}
