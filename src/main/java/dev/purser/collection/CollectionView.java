package dev.purser.collection;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A collection with everything that a device needs to report to it. */
@Schema(name = "Collection", description = "A collection of locally randomized reports.")
public record CollectionView(
        @Schema(example = "commute-minutes") String id,

        @Schema(description = "As it was declared.", example = HybridProtocol.NAME)
        String protocol,

        @Schema(allowableValues = {"open", "closed"}) String state,

        @Schema(description = "In UTC.") Instant openedAt,

        @Schema(description = "The end of reports, in UTC; null without one.") @Nullable
        Instant closesAt,

        @Schema(description = "The range of numbers; null for categories.") @Nullable
        Bounds range,

        @Schema(description = "How many numbers a value has.", example = "1")
        int dimensions,

        @Schema(description = "All categories; null for numbers.", example = "[\"bus\", \"bicycle\"]") @Nullable
        List<String> categories,

        @Schema(description = "What one report costs its device.")
        LocalGuarantee guarantee,

        @Schema(
                implementation = Device.class,
                description = "What a device needs: the randomizer, its constants, and examples to compare with.")
        @JsonRawValue
        String device) {
    /** The privacy of one report. */
    @Schema(name = "LocalGuarantee")
    public record LocalGuarantee(
            @Schema(
                    description = "The local epsilon of one whole report, rounded up at the ninth digit.",
                    example = "9.044108142")
            Epsilon epsilon,

            @Schema(
                    example = "One report is 1-locally differentially private.",
                    description = "What it means, and what it does not.")
            String statement) {}

    /** Describes {@code device}; a {@link Protocol} writes it. */
    @Schema(
            name = "DeviceProtocol",
            requiredProperties = {"randomizer", "version", "constants", "testVectors"})
    record Device(
            @Schema(description = "The protocol's pseudocode: docs/devices.md.", example = HybridProtocol.NAME)
            String randomizer,

            @Schema(description = "Of the pseudocode.", example = "1")
            int version,

            @Schema(
                    description = "Integers, and exact rationals as text \"n/d\".",
                    example = "{\"width\":65536,\"epsilon\":\"1/1\",\"points\":65536,\"band\":24744}")
            Map<String, Object> constants,

            @Schema(description = "Reports of public values, with the random bits that led to them.")
            List<Example> testVectors) {}

    /** One test vector. */
    @Schema(
            name = "DeviceTestVector",
            requiredProperties = {"value", "randomness", "report"})
    record Example(
            @Schema(description = "The value in grid steps, or the index of a category.", example = "{\"part\":20000}")
            Map<String, Object> value,

            @Schema(description = "All bits drawn, in order, as hexadecimal digits.", example = "9f3b")
            String randomness,

            @Schema(description = "The report, without an id.", example = "{\"point\":20815}")
            Map<String, Object> report) {}

    static CollectionView of(
            StoredCollection collection, CollectionDeclaration declaration, byte[] document, boolean isOpen) {
        Declared declared = declaration.declared();
        Protocol<?> protocol = declared.protocol();
        return new CollectionView(
                collection.id(),
                declaration.protocolName(),
                isOpen ? "open" : "closed",
                collection.openedAt(),
                collection.closesAt(),
                declared.range(),
                declared.dimensions(),
                declared.range() == null ? declared.categories() : null,
                new LocalGuarantee(protocol.epsilon(), protocol.statement()),
                new String(document, StandardCharsets.UTF_8));
    }
}
