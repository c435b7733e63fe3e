package dev.purser.local;

import dev.purser.noise.SeededBits;
import dev.purser.privacy.AuditOutcome;
import java.util.function.Predicate;

/**
 * A black-box audit of a local randomizer: how often one event happens among the reports of each of two values. Any two
 * values are neighbours.
 *
 * @param randomizer the audited randomizer, used only through {@link LocalRandomizer#report} and
 *     {@link LocalRandomizer#epsilon}
 * @param draws the number of reports of each value
 */
record LocalAudit<V, R>(LocalRandomizer<V, R> randomizer, V value, V neighbor, Predicate<R> event, int draws) {
    static final int DRAWS = 200_000;

    LocalAudit(LocalRandomizer<V, R> randomizer, V value, V neighbor, Predicate<R> event) {
        this(randomizer, value, neighbor, event, DRAWS);
    }

    double epsilon() {
        return randomizer.epsilon().nanos() / 1e9;
    }

    AuditOutcome run(long seed) {
        return new AuditOutcome(hits(value, seed), hits(neighbor, ~seed), draws);
    }

    private long hits(V of, long seed) {
        SeededBits bits = new SeededBits(seed);
        long hits = 0;
        for (int i = 0; i < draws; i++) {
            hits += event.test(randomizer.report(of, bits)) ? 1 : 0;
        }
        return hits;
    }
}
