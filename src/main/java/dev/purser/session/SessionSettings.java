package dev.purser.session;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of threshold sessions, as {@code purser.sessions.*}.
 *
 * @param idle how long a session stays open without a question
 * @param maxOpen how many sessions one principal may have open on one dataset
 */
@Validated
@ConfigurationProperties("purser.sessions")
public record SessionSettings(
        @DefaultValue("24h") Duration idle,
        @Min(1) @Max(1_000_000) @DefaultValue("100") int maxOpen) {
    public SessionSettings {
        if (!idle.isPositive()) {
            throw new IllegalArgumentException("purser.sessions.idle must be positive");
        }
    }
}
