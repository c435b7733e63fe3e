package dev.purser.faults;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws from a list in random order, each element once before any is drawn again. */
final class Schedule<T> {
    private final List<T> all;
    private final RandomGenerator random;
    private final Deque<T> next = new ArrayDeque<>();

    Schedule(List<T> all, RandomGenerator random) {
        this.all = List.copyOf(all);
        this.random = random;
    }

    T draw() {
        if (next.isEmpty()) {
            List<T> shuffled = new ArrayList<>(all);
            Collections.shuffle(shuffled, java.util.Random.from(random));
            next.addAll(shuffled);
        }
        return next.pop();
    }
}
