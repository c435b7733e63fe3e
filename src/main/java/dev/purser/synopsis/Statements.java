package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.query.AggregateKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Sentences about the answers of a synopsis. */
final class Statements {
    private Statements() {}

    static String of(Synopsis synopsis, BigDecimal beta, boolean simultaneous, boolean nonNegative) {
        List<String> sentences = new ArrayList<>();
        sentences.add(
                simultaneous
                        ? "All numbers lie within their intervals together, except with probability at most "
                                + beta.toPlainString() + "."
                        : "Each number lies within its interval, except with probability at most "
                                + beta.toPlainString() + "; that all do is less likely.");
        List<String> wide = synopsis.cells().keys().stream()
                .filter(Statements::isWide)
                .map(key -> "\"" + key.column().name() + "\"")
                .toList();
        if (!wide.isEmpty()) {
            sentences.add("Cells of " + String.join(", ", wide) + " have several values: a value is taken as the middle"
                    + " of its cell, and intervals of sums, means, variances and correlations cover the numbers of"
                    + " these middles.");
        }
        if (synopsis.cells().leavesOut()) {
            sentences.add("Only rows that pass the synopsis's where and lie in its cells are counted.");
        }
        if (nonNegative) {
            sentences.add(
                    "Counts below zero, and sums of values that never are, are stated as zero, which overstates what"
                            + " is zero; intervals are of the unbiased numbers.");
        }
        return String.join(" ", sentences);
    }

    /** Whether cells have several values. */
    static boolean isWide(AggregateKey key) {
        return key.column() instanceof Column.Numeric
                && key.edge().applyAsLong(key.groups()) - key.edge().applyAsLong(0) > key.groups();
    }
}
