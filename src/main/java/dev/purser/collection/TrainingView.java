package dev.purser.collection;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.purser.collection.CollectionView.Device;
import dev.purser.collection.CollectionView.LocalGuarantee;
import dev.purser.json.FieldType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A training with its parameters so far, and everything that a device needs to report its gradient. */
@Schema(name = "Training", description = "A model that is trained by gradients which devices randomize.")
public record TrainingView(
        @Schema(example = "income") String id,

        @Schema(allowableValues = {"linear", "logistic"}) String model,

        @Schema(description = "Numbers of [-1, 1] of a device.", example = "8")
        int features,

        @Schema(example = HybridProtocol.NAME) String protocol,

        @Schema(allowableValues = {"open", "closed"}) String state,

        @Schema(description = "In UTC.") Instant openedAt,

        @Schema(description = "When it was closed, in UTC; null before.") @Nullable
        Instant closesAt,

        @Schema(description = "Reports of a round.", example = "1000")
        long groupSize,

        @Schema(description = "Round t moves the parameters by stepSize/√t times the gradient.", example = "1")
        double stepSize,

        @Schema(description = "The server adds penalty·b to the gradient, except of the intercept.", example = "0")
        double penalty,

        @Schema(description = "The server keeps every parameter within ±bound.", example = "10")
        double bound,

        @Schema(description = "After how many rounds it is closed.", example = "10000")
        int rounds,

        @Schema(description = "The round that reports are for now.", example = "3")
        long round,

        @Schema(
                description = "Where a device takes its gradient now: one parameter for each feature, then the"
                        + " intercept.")
        double[] parameters,

        @Schema(
                description = "Reports of this round so far. They are left over if the round never ends.",
                example = "417")
        long roundReports,

        @Schema(description = "Reports that came after their round, and are in no gradient.", example = "0")
        long unusedReports,

        @Schema(description = "The rounds that ended.") List<CurvePoint> curve,

        @Schema(description = "What one report costs its device.")
        LocalGuarantee guarantee,

        @Schema(
                implementation = Device.class,
                description = "How a device reports its gradient, each coordinate clipped to [-1, 1].")
        @JsonRawValue
        String device) {
    /** What the reports of a round say. */
    @Schema(name = "TrainingRound")
    public record CurvePoint(
            @Schema(example = "1") long round,

            @Schema(
                    description =
                            "The square of the length of the mean gradient, less the largest variance of its noise:"
                                    + " rather too low, and it may be below 0.",
                    example = "0.18")
            double squaredGradient,

            @Schema(
                    description = "The change of the mean loss since round 1, without the penalty, estimated from the"
                            + " gradients at the ends of the steps. It is rather too high. Clipping affects it.",
                    example = "-0.05")
            double lossChange) {}

    static TrainingView of(
            StoredCollection training,
            TrainingDeclaration declaration,
            TrainingTable.State state,
            List<CurvePoint> curve,
            byte[] document,
            boolean isOpen) {
        Protocol<?> protocol = declaration.protocol();
        return new TrainingView(
                training.id(),
                FieldType.word(declaration.model()),
                declaration.features(),
                declaration.protocolName(),
                isOpen ? "open" : "closed",
                training.openedAt(),
                training.closesAt(),
                declaration.groupSize(),
                declaration.descent().stepSize(),
                declaration.descent().penalty(),
                declaration.descent().bound(),
                declaration.rounds(),
                state.round(),
                state.parameters(),
                state.roundReports(),
                state.unused(),
                curve,
                new LocalGuarantee(protocol.epsilon(), protocol.statement()),
                new String(document, StandardCharsets.UTF_8));
    }
}
