package dev.purser.experiment;

import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the body that {@link RegressionExperiment} reads. */
@Schema(
        name = "RegressionExperiment",
        requiredProperties = {"epsilons", "repetitions"})
public record RegressionRequest(
        @Schema(
                description = "Required without `rows`: how many people of a synthetic census are generated, 1000 to"
                        + " 100 000. The result states the generator.",
                example = "5000")
        @Nullable
        Integer records,

        @Schema(
                description = "In place of `records`: 5 to 10 000 rows of 1 to 20 features and then the target, all of"
                        + " [-1, 1]. Logistic models predict whether it is above 0.")
        @Nullable
        List<List<BigDecimal>> rows,

        @Schema(description = "`linear`, `logistic`. Without it, both.", example = "[\"linear\"]") @Nullable
        List<String> models,

        @Schema(description = "1 to 10 nominal epsilons, each 0.01 to 5.", example = "[\"1\"]")
        List<Epsilon> epsilons,

        @Schema(
                description = "`harmony`, `piecewise`, `hybrid`, `hiera`. Without it, all of them.",
                example = "[\"harmony\", \"hiera\"]")
        @Nullable
        List<String> methods,

        @Schema(
                description = "How often all five folds are trained, 1 to 1000. All reports of an experiment are at"
                        + " most 100 000 000.",
                example = "1")
        int repetitions) {
    /** An example. */
    public static final String LINEAR = """
            {"records": 1000, "models": ["linear"], "epsilons": ["1"], "methods": ["harmony"], "repetitions": 1}""";
}
