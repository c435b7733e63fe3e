package dev.purser.collection.web;

import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the body that opens a training; {@code TrainingDeclaration} reads it, {@code ProtocolNames} fills in names. */
@Schema(
        name = "OpenTraining",
        requiredProperties = {"id", "model", "features", "protocol"})
record OpenTrainingRequest(
        @Schema(pattern = "[a-z][a-z0-9-]{0,62}", example = "income")
        String id,

        @Schema(
                allowableValues = {"linear", "logistic"},
                description = "`linear`: the squared error of a target of [-1, 1]. `logistic`: the log loss of a target"
                        + " that is 0 or 1.")
        String model,

        @Schema(description = "Numbers of [-1, 1] of a device, 1 to 1000.", example = "8")
        int features,

        String protocol,

        @Schema(description = "Of one whole report; with {epsilons} there are `epsilons`.", example = "1") @Nullable
        Epsilon epsilon,

        @Schema(description = "With {epsilons}: of the levels, in descending order.", example = "[]") @Nullable
        List<Epsilon> epsilons,

        @Schema(
                description = "Reports of a round. By default 2·d·ln(d)/epsilon², at least 1000, where d is the number"
                        + " of features and 1.",
                example = "1000")
        @Nullable
        Long groupSize,

        @Schema(description = "Of round t it is stepSize/√t; 1 by default.", example = "1") @Nullable
        BigDecimal stepSize,

        @Schema(description = "Of the squared parameters but the intercept's; 0 by default.", example = "0.0001")
        @Nullable
        BigDecimal penalty,

        @Schema(description = "Parameters are kept within ±bound; 10 by default.", example = "10") @Nullable
        BigDecimal bound,

        @Schema(description = "After how many rounds it is closed, 10,000 by default.", example = "100") @Nullable
        Integer rounds) {
    static final String INCOME = """
            {"id": "income", "model": "linear", "features": 2, "protocol": "harmony", "epsilon": "1"}""";
}
