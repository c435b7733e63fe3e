package dev.purser.engine;

import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The embedded engine, as {@code purser.engine.*}.
 *
 * @param memoryMegabytes of buffers for each open dataset; what does not fit is spilled to the dataset's own folder
 * @param threads of one pass over the rows
 * @param maxOpen how many datasets stay open between questions
 * @param timeout for all passes over the rows of one question
 */
@Validated
@ConfigurationProperties("purser.engine")
record EngineSettings(
        @Min(64) @DefaultValue("128") int memoryMegabytes,
        @Min(1) @DefaultValue("2") int threads,
        @Min(1) @DefaultValue("4") int maxOpen,
        @DefaultValue("120s") Duration timeout) {}
