package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.Dataset;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.Rho;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The privacy guarantee of an answer. */
@Schema(description = "The privacy guarantee of this answer.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Guarantee(
        @Schema(description = "The answer is (epsilon, delta)-differentially private.", example = "0.5")
        Epsilon epsilon,

        @Schema(description = "Zero for a pure guarantee.", example = "0")
        Delta delta,

        @Schema(
                description = "Only for a zero-concentrated guarantee: epsilon and delta are then converted from it.",
                example = "0.004995837")
        @Nullable
        Rho rho,

        @Schema(allowableValues = {"add-or-remove-one", "replace-one"})
        String neighboringRelation,

        Unit privacyUnit,

        @Schema(description = "Whether the custodian declared the rows public or synthetic.")
        boolean declaredPublic) {
    /** @param limitDelta the delta of the account's limit, for which a rho is converted */
    public static Guarantee of(Dataset dataset, PrivacyEvent event, Delta limitDelta) {
        return switch (event) {
            case PrivacyEvent.PureDifferentialPrivacy(Epsilon epsilon) -> of(dataset, epsilon, Delta.ZERO, null);
            case PrivacyEvent.ApproximateDifferentialPrivacy(Epsilon epsilon, Delta delta) ->
                of(dataset, epsilon, delta, null);
            case PrivacyEvent.ConcentratedDifferentialPrivacy(Rho rho) ->
                of(dataset, ConcentratedPrivacy.epsilon(rho, limitDelta), limitDelta, rho);
        };
    }

    private static Guarantee of(Dataset dataset, Epsilon epsilon, Delta delta, @Nullable Rho rho) {
        return new Guarantee(
                epsilon,
                delta,
                rho,
                dataset.registration().neighboringRelation().label(),
                Unit.of(dataset.privacyUnit()),
                dataset.registration().declaredPublic());
    }

    /** Whose contribution is protected. */
    @Schema(name = "GuaranteeUnit", description = "Whose contribution is protected.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Unit(
            @Schema(allowableValues = {"row", "column"}) String type,

            @Schema(description = "With type column: the header of the column that names the unit.") @Nullable
            String column,

            @Schema(description = "With type column: the most rows of one unit that count.") @Nullable
            Integer maxRows) {
        static Unit of(PrivacyUnit unit) {
            return switch (unit) {
                case PrivacyUnit.Row row -> new Unit("row", null, null);
                case PrivacyUnit.Column column -> new Unit("column", column.column(), column.maxRows());
            };
        }
    }
}
