package dev.purser.experiment;

import dev.purser.privacy.Epsilon;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the body that {@link MeanExperiment} reads. */
@Schema(
        name = "MeanExperiment",
        requiredProperties = {"epsilons", "repetitions"})
public record MeanRequest(
        @Schema(
                description = "What values are generated from, in place of `values`: `normal` around 0.5 with standard"
                        + " deviation 0.1, `uniform` on [-1, 1], `exponential` from 0 with mean 0.5; clamped to"
                        + " [-1, 1]. Without it, all of them.",
                example = "[\"normal\", \"uniform\"]")
        @Nullable
        List<String> distributions,

        @Schema(
                description = "Required without `values`: how many values are generated, 1 to 1 000 000.",
                example = "1000")
        @Nullable
        Integer devices,

        @Schema(description = "In place of `distributions` and `devices`: 1 to 10 000 numbers of [-1, 1].") @Nullable
        List<BigDecimal> values,

        @Schema(description = "1 to 10 nominal epsilons, each 0.01 to 5.", example = "[\"0.5\", \"1\"]")
        List<Epsilon> epsilons,

        @Schema(
                description = "`harmony`, `piecewise`, `hybrid`, `laplace`, `multilevel-laplace`, `hiera` (unclamped),"
                        + " `hiera-clamped` (as its source has it). Without it, all of them.",
                example = "[\"harmony\", \"hiera\"]")
        @Nullable
        List<String> methods,

        @Schema(
                description = "Of HierA: into how many levels a report is expanded, each 1 to 5. Without it, 1.",
                example = "[1, 2]")
        @Nullable
        List<Integer> reuse,

        @Schema(
                description = "How often each mean is estimated, 2 to 10 000. All reports of an experiment are at most"
                        + " 500 000 000.",
                example = "20")
        int repetitions) {
    /** An example. */
    public static final String NORMAL = """
            {
              "distributions": ["normal"],
              "devices": 1000,
              "epsilons": ["0.5", "1"],
              "methods": ["harmony", "hiera"],
              "repetitions": 20
            }""";
}
