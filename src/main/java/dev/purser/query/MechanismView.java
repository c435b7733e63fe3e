package dev.purser.query;

import dev.purser.mechanism.Description;
import dev.purser.privacy.Grid;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.LinkedHashMap;
import java.util.Map;

/** How an answer is computed. */
@Schema(name = "MechanismUsed", description = "How the answer was computed: public parameters, in units of the data.")
public record MechanismView(
        @Schema(example = "laplace-two-sided-mean") String name,
        @Schema(example = "discrete-laplace") String noise,

        @Schema(description = "Scales and sensitivities by name.")
        Map<String, Object> parameters) {
    /** Describes a question's mechanism. The description is the same before and after the release. */
    public static MechanismView of(Question<?> question) {
        return of(question.description(), question.grid());
    }

    /** @param grid the grid that the description's steps are counted on */
    public static MechanismView of(Description description, Grid grid) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        description
                .parameters()
                .forEach((name, value) -> parameters.put(
                        name,
                        value instanceof Description.InSteps inSteps
                                ? ShownDecimals.plain(inSteps.steps().multiply(grid.resolution()))
                                : value));
        return new MechanismView(description.name(), description.noise(), parameters);
    }
}
