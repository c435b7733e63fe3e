package dev.purser.dataset.web;

import dev.purser.dataset.Dataset;
import dev.purser.dataset.DatasetState;
import dev.purser.ledger.BlockRun;
import dev.purser.ledger.Budget;
import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.StatedAmount;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;

@Schema(name = "BlockRunList", description = "The blocks that were asked for, as runs of equal blocks in their order.")
record BlockRunsView(List<RunView> items) {
    /** @param ownPartOnly whether only the asker's part of the remainder is shown, which an allotment may reduce */
    static BlockRunsView of(Dataset dataset, Budget budget, List<BlockRun> runs, boolean ownPartOnly) {
        Blocks blocks = dataset.blocks().orElseThrow();
        List<RunView> items = new ArrayList<>();
        for (BlockRun run : runs) {
            PrivacyAmount remaining =
                    ownPartOnly ? run.remaining() : budget.limit().minusDownToZero(run.spent());
            StatedAmount spent = budget.stated(run.spent());
            StatedAmount left = budget.stated(remaining);
            for (Part part : parts(run.blocks(), dataset)) {
                items.add(new RunView(
                        blocks.label(part.blocks().first()),
                        blocks.label(part.blocks().last()),
                        part.state(),
                        spent,
                        left));
            }
        }
        return new BlockRunsView(items);
    }

    private record Part(BlockWindow blocks, String state) {
        static Part ready(int first, int last) {
            return new Part(new BlockWindow(first, last), "ready");
        }
    }

    /** Cuts a run where its blocks begin or cease to be ready. No block of a deleted dataset is ready. */
    private static List<Part> parts(BlockWindow run, Dataset dataset) {
        if (dataset.state() == DatasetState.DELETED) {
            return List.of(new Part(run, "not-ready"));
        }
        List<Part> parts = new ArrayList<>();
        int next = run.first();
        for (BlockWindow missing : dataset.ready().notReady(run)) {
            if (next < missing.first()) {
                parts.add(Part.ready(next, missing.first() - 1));
            }
            parts.add(new Part(missing, "not-ready"));
            next = missing.last() + 1;
        }
        if (next <= run.last()) {
            parts.add(Part.ready(next, run.last()));
        }
        return parts;
    }

    @Schema(name = "BlockRun", description = "Neighbouring blocks of which each has this state and these amounts.")
    record RunView(
            @Schema(description = "The label of the first block.", example = "2026-03-01")
            String from,

            @Schema(description = "The label of the last block.", example = "2026-03-31")
            String to,

            @Schema(
                    description = "Whether the blocks can be asked about.",
                    allowableValues = {"ready", "not-ready"})
            String state,

            @Schema(description = "What is spent of each block, by all.")
            StatedAmount spent,

            @Schema(
                    description = "What remains of each block. For an analyst with an allotment, what is left of that"
                            + " if it is less.")
            StatedAmount remaining) {}
}
