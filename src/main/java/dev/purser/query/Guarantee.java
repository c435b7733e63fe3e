package dev.purser.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.purser.dataset.ColumnValue;
import dev.purser.dataset.Dataset;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.ConcentratedPrivacy;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyEvent;
import dev.purser.privacy.PrivacyUnit;
import dev.purser.privacy.Rho;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
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
        boolean declaredPublic,

        @Schema(
                description =
                        "Whether the custodian stated that rows which equal those of another account are about other"
                                + " people. If that is not so, what both accounts spend adds up.")
        boolean declaredOtherPeople,

        @Schema(
                description = "With blocks: what the guarantee means for a unit that has rows in several.",
                example = IN_MANY_BLOCKS)
        @Nullable
        String inManyBlocks) {
    private static final String IN_MANY_BLOCKS =
            "The guarantee is for the rows of one unit in one block. A unit with rows in k blocks can lose up to k"
                    + " times as much (pure), or k² times (zCDP).";

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
                Unit.of(dataset),
                dataset.registration().declaredPublic(),
                dataset.registration().declaredOtherPeople(),
                dataset.blocks().map(each -> IN_MANY_BLOCKS).orElse(null));
    }

    /** Whose contribution is protected. */
    @Schema(name = "GuaranteeUnit", description = "Whose contribution is protected.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Unit(
            @Schema(allowableValues = {"row", "column"}) String type,

            @Schema(description = "With type column: the header of the column that names the unit.") @Nullable
            String column,

            @Schema(
                    description = "With type column: the most rows of one unit that count; with blocks, of those in one"
                            + " block.")
            @Nullable
            Integer maxRows,

            @Schema(description = "With blocks: only the rows of the unit in one block are protected together.")
            @Nullable
            PerBlock perBlock) {
        static Unit of(Dataset dataset) {
            PerBlock perBlock = dataset.blocks()
                    .map(blocks -> new PerBlock(blocks.column(), width(blocks.width())))
                    .orElse(null);
            return switch (dataset.privacyUnit()) {
                case PrivacyUnit.Row row -> new Unit("row", null, null, perBlock);
                case PrivacyUnit.Column column -> new Unit("column", column.column(), column.maxRows(), perBlock);
            };
        }
    }

    private static ColumnValue width(Blocks.Width width) {
        return new ColumnValue(width instanceof Blocks.Integers(long size) ? BigDecimal.valueOf(size) : width.text());
    }

    /** How the rows are divided into blocks. */
    @Schema(name = "GuaranteeBlocks", description = "How the rows are divided into blocks.")
    public record PerBlock(
            @Schema(description = "The header of the column that decides.", example = "day")
            String column,

            @Schema(description = "`day`, `week`, `month`, or how many integers a block has.", example = "day")
            ColumnValue width) {}
}
