package dev.purser.dataset;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import org.jspecify.annotations.Nullable;

/** Reads the labels of blocks in paths and parameters. */
public final class BlockLabels {
    private BlockLabels() {}

    /**
     * The block with this label.
     *
     * @param parameter the parameter in which the label was sent
     * @throws ProblemException {@code validation-failed} if there is no such block
     */
    public static int block(Blocks blocks, String parameter, String label) {
        return blocks.named(label)
                .orElseThrow(() -> refused(
                        parameter,
                        parameter + " must be the label of a block, from \"" + blocks.label(0) + "\" to \""
                                + blocks.label(blocks.count() - 1) + "\" by "
                                + blocks.width().text()));
    }

    /**
     * The blocks of the parameters {@code from} and {@code to}, both included.
     *
     * @param from null for the first block
     * @param to null for the last block
     * @throws ProblemException {@code validation-failed} if a text is no label, or the labels are not in order
     */
    public static BlockWindow between(Blocks blocks, @Nullable String from, @Nullable String to) {
        int first = from == null ? 0 : block(blocks, "from", from);
        int last = to == null ? blocks.count() - 1 : block(blocks, "to", to);
        if (last < first) {
            throw refused("to", "to must not be before from");
        }
        return new BlockWindow(first, last);
    }

    private static ProblemException refused(String parameter, String detail) {
        return ProblemException.validation(Violation.ofParameter(parameter, detail));
    }
}
