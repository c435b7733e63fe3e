package dev.purser.session;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
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
        @DurationMin(seconds = 1) @DurationMax(days = 365) @DefaultValue("24h")
        Duration idle,

        @Min(1) @Max(1_000_000) @DefaultValue("100") int maxOpen) {}
