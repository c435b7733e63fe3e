package dev.purser.query;

import java.time.Duration;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When answers may be sent, as {@code purser.release.*}.
 *
 * @param quantised whether answers are delayed at all
 * @param quantum the least delay of every question
 * @param perMillionRows the additional delay for every million rows that the dataset is registered for
 * @param longest the most that {@code quantum} and {@code perMillionRows} add up to
 * @param kinds another {@code quantum} for questions of a kind, by the kind's name
 */
@ConfigurationProperties("purser.release")
record ReleaseSettings(
        @DefaultValue("false") boolean quantised,
        @DefaultValue("250ms") Duration quantum,
        @DefaultValue("50ms") Duration perMillionRows,
        @DefaultValue("120s") Duration longest,
        @DefaultValue Map<String, Duration> kinds) {
    ReleaseSettings {
        kinds = Map.copyOf(kinds);
        if (!quantum.isPositive()
                || perMillionRows.isNegative()
                || longest.compareTo(quantum) < 0
                || !kinds.values().stream().allMatch(Duration::isPositive)) {
            throw new IllegalArgumentException(
                    "purser.release: a quantum must be positive and at most purser.release.longest");
        }
        kinds.keySet().stream()
                .filter(kind -> QuestionKinds.named(kind).isEmpty())
                .forEach(unknown -> {
                    throw new IllegalArgumentException("purser.release.kinds: there is no kind of question " + unknown);
                });
    }

    /** The quantum of one kind of question about one dataset. It depends on public facts alone. */
    Duration quantum(String kind, long maxRows) {
        Duration quantum = kinds.getOrDefault(kind, this.quantum)
                .plus(perMillionRows.multipliedBy(maxRows).dividedBy(1_000_000));
        return quantum.compareTo(longest) > 0 ? longest : quantum;
    }
}
