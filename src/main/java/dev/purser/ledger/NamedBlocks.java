package dev.purser.ledger;

import dev.purser.privacy.Blocks;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;

/** Neighbouring blocks by their names, and what each of them has left. */
@Schema(description = "Neighbouring blocks with equal books.")
public record NamedBlocks(
        @Schema(description = "The first of them.", example = "2026-03-01")
        String from,

        @Schema(description = "The last of them.", example = "2026-03-31")
        String to,

        @Schema(description = "What each of them has left.") StatedAmount remaining) {
    /** @param remaining the remainder of each block, in the form in which the account states amounts */
    public static NamedBlocks of(BlockRun run, Blocks blocks, StatedAmount remaining) {
        return new NamedBlocks(
                blocks.label(run.blocks().first()), blocks.label(run.blocks().last()), remaining);
    }
}
