package dev.purser.query;

import dev.purser.json.Alternatives;
import dev.purser.store.StartupRefusal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code purser.release.*}: when answers may be sent.
 *
 * @param quantised whether answers are delayed at all
 * @param quantum the least delay of every question
 * @param perMillionRows the additional delay for every million rows that the dataset is registered for
 * @param longest the most that {@code quantum} and {@code perMillionRows} add up to
 * @param kinds another {@code quantum} for questions of a kind, by the kind's name
 */
@Validated
@ConfigurationProperties("purser.release")
public record ReleaseSettings(
        @DefaultValue("false") boolean quantised,

        @DurationMin(millis = 1) @DurationMax(hours = 1) @DefaultValue("250ms")
        Duration quantum,

        @DurationMin(millis = 0) @DurationMax(hours = 1) @DefaultValue("50ms")
        Duration perMillionRows,

        @DurationMin(millis = 1) @DurationMax(hours = 24) @DefaultValue("120s")
        Duration longest,

        @DefaultValue Map<String, @DurationMin(millis = 1) @DurationMax(hours = 1) Duration> kinds) {
    public ReleaseSettings {
        kinds = Map.copyOf(kinds);
        if (longest.compareTo(quantum) < 0) {
            throw new IllegalArgumentException(
                    "purser.release.longest must be at least purser.release.quantum, was " + longest.toMillis() + "ms");
        }
    }

    /**
     * Checks that every kind in the settings is one of these names.
     *
     * @throws StartupRefusal if a kind is not
     */
    void requireKinds(List<String> names) {
        for (String kind : kinds.keySet()) {
            if (!names.contains(kind)) {
                throw new StartupRefusal(
                        "purser.release.kinds." + kind + " must name one of " + Alternatives.listed(names)
                                + Alternatives.nearest(kind, names) + ".",
                        "Correct the setting. docs/operating.md lists all settings with what they may be.");
            }
        }
    }

    /** The quantum of questions of these kinds about one dataset. It depends on public facts alone. */
    Duration quantum(List<String> asked, long maxRows) {
        Duration ofRows = perMillionRows.multipliedBy(maxRows).dividedBy(1_000_000);
        Duration quantum = asked.stream()
                .map(kind -> kinds.getOrDefault(kind, this.quantum).plus(ofRows))
                .reduce(Duration.ZERO, Duration::plus);
        return quantum.compareTo(longest) > 0 ? longest : quantum;
    }
}
