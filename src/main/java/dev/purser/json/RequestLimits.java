package dev.purser.json;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings {@code purser.requests.*}: the limits of requests.
 *
 * @param maxBodyBytes bytes of a body
 * @param maxArrayElements elements of any one array; a field's own limit can be lower
 * @param maxDepth nested objects and arrays
 * @param maxTokens names, values and brackets in total
 * @param maxConnectionsPerAddress connections that one address may have; 0 for half of all connections
 */
@Validated
@ConfigurationProperties("purser.requests")
public record RequestLimits(
        @Min(1) @Max(1_073_741_824) @DefaultValue("33554432")
        int maxBodyBytes,

        @Min(1) @Max(10_000_000) @DefaultValue("100001") int maxArrayElements,
        @Min(1) @Max(500) @DefaultValue("16") int maxDepth,
        @Min(1) @Max(100_000_000) @DefaultValue("2000000") int maxTokens,
        @Min(0) @Max(1_000_000) @DefaultValue("0") int maxConnectionsPerAddress) {
    /** The limits of the document itself. */
    public JsonLimits document() {
        JsonLimits defaults = JsonLimits.DEFAULT;
        return new JsonLimits(
                maxDepth,
                maxArrayElements,
                maxTokens,
                defaults.maxNumberLength(),
                defaults.maxStringLength(),
                defaults.maxNameLength());
    }
}
