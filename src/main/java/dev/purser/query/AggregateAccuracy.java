package dev.purser.query;

import dev.purser.mechanism.Aggregate;
import dev.purser.mechanism.Aggregate.Function;
import dev.purser.mechanism.IntervalEstimate;
import dev.purser.mechanism.NoisyTable;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;

/** What a table states about its errors, before the release and after it. */
record AggregateAccuracy(List<AggregateItem> items, NoisyTable mechanism, List<Aggregate> aggregates, BigDecimal beta) {
    /** The error bounds if each group has {@code rows} rows. */
    Accuracy expected(long rows) {
        return accuracy(
                aggregates.stream()
                        .map(aggregate -> mechanism.expectedAlpha(aggregate, rows))
                        .toList(),
                "If each group has " + rows
                        + " rows or more, every exact value is within the alpha of its aggregate, all"
                        + " of them together, except with probability at most " + beta.toPlainString()
                        + "; the answer states its own intervals.");
    }

    /** The error bounds of an answer: the largest half-width of each aggregate's intervals. */
    Accuracy stated(NoisyTable.Answer answer) {
        List<BigDecimal> alphas = IntStream.range(0, items.size())
                .mapToObj(i -> answer.groups().stream()
                        .map(group -> group.get(i))
                        .map(IntervalEstimate::alpha)
                        .reduce(BigDecimal.ZERO, BigDecimal::max))
                .toList();
        return accuracy(
                alphas,
                "Every exact value is within its interval, in all groups and of all aggregates together, except with"
                        + " probability at most " + beta.toPlainString() + "." + ofSmallGroups());
    }

    private String ofSmallGroups() {
        boolean needsRows = items.stream().anyMatch(item -> !isWhole(item.function()));
        return needsRows
                ? " An empty group has no mean and no variance. Where no row is seen, the middle of the possible range"
                        + " stands for them, and the interval is that whole range; in a group of fewer than about "
                        + mechanism.rowsForAShorterInterval() + " rows it is hardly shorter."
                : "";
    }

    private Accuracy accuracy(List<BigDecimal> alphas, String statement) {
        List<Accuracy.OfAggregate> each = IntStream.range(0, items.size())
                .mapToObj(i -> new Accuracy.OfAggregate(items.get(i).name(), shown(items.get(i), alphas.get(i))))
                .toList();
        return Accuracy.ofTable(each, beta, statement);
    }

    private static BigDecimal shown(AggregateItem item, BigDecimal alpha) {
        return isWhole(item.function()) ? ShownDecimals.plain(alpha) : ShownDecimals.bound(alpha);
    }

    /** Whether the value is a whole number of the column's steps. A group without rows has such a value too. */
    private static boolean isWhole(Function function) {
        return function.isCount() || function == Function.SUM;
    }
}
