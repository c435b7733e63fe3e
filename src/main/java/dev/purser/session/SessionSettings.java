package dev.purser.session;

import dev.purser.store.Secret;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of threshold sessions: {@code purser.sealing-key} and {@code purser.sessions.*}.
 *
 * @param sealingKey the keys that seal secret states, newest first, 32 bytes in base64 with commas between them; if it
 *     is empty, the keys in the home
 * @param sessions how many sessions may be open, and how long
 */
@Validated
@ConfigurationProperties("purser")
public record SessionSettings(
        @DefaultValue("") Secret sealingKey,
        @Valid @DefaultValue Open sessions) {
    /**
     * Limits of open sessions.
     *
     * @param idle how long a session stays open without a question
     * @param maxOpen how many sessions one principal may have open on one dataset
     */
    public record Open(
            @DurationMin(seconds = 1) @DurationMax(days = 365) @DefaultValue("24h")
            Duration idle,

            @Min(1) @Max(1_000_000) @DefaultValue("100") int maxOpen) {}
}
