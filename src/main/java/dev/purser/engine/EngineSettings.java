package dev.purser.engine;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code purser.engine.*}.
 *
 * @param threads the number of threads that read rows, for all questions together
 * @param maxOpen the number of files of rows that stay open between questions
 * @param timeout the time for all passes over the rows of one question
 */
@Validated
@ConfigurationProperties("purser.engine")
record EngineSettings(
        @Min(1) @Max(256) @DefaultValue("2") int threads,
        @Min(1) @Max(10_000) @DefaultValue("4") int maxOpen,

        @DurationMin(seconds = 1) @DurationMax(hours = 24) @DefaultValue("120s")
        Duration timeout) {}
