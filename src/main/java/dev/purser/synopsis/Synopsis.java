package dev.purser.synopsis;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.http.ReadFromRows;
import dev.purser.mechanism.Grain;
import dev.purser.mechanism.Hierarchy;
import dev.purser.privacy.BlockWindow;
import dev.purser.query.QuestionRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A purchased summary of some columns: a first purchase, and purchases that refine it.
 *
 * @param cells the cells of its columns, and what they hold
 * @param question what was asked when it was bought, in canonical form, as JSON
 * @param blocks the blocks that it is about; null for a dataset without blocks
 * @param columns the levels of each column
 * @param purchases the purchases, the first purchase first; all divide the same cells in the same way
 */
public record Synopsis(
        String id,
        Dataset dataset,
        SynopsisCells cells,
        String question,
        @Nullable BlockWindow blocks,
        List<Hierarchy> columns,
        List<Purchase> purchases)
        implements ReadFromRows {
    private static final int MANY_NUMBERS = 100_000;

    /** The purchases that no other purchase replaces; their noise is independent. */
    List<Purchase> counted() {
        Set<String> replaced =
                purchases.stream().flatMap(each -> each.replaced().stream()).collect(Collectors.toSet());
        return purchases.stream()
                .filter(each -> !replaced.contains(each.queryId()))
                .toList();
    }

    /** The row of its dataset. What was bought never changes. */
    @Override
    public Map<String, Long> rows() {
        return dataset.rows();
    }

    /** Whether a question is about the same blocks, or both are about a dataset without blocks. */
    boolean isAbout(QuestionRequest question) {
        return question.window().equals(Optional.ofNullable(blocks));
    }

    /** The table that tells apart the values of these columns. */
    Grain table(List<Integer> divided) {
        return new Grain(IntStream.range(0, columns().size())
                .mapToObj(column ->
                        divided.contains(column) ? 0 : columns().get(column).top())
                .toList());
    }

    /** Whether a table of the synopsis tells apart the values of these columns. */
    boolean holds(List<Integer> divided) {
        Integer together = cells().together();
        return together == null || divided.size() <= together;
    }

    /** Whether its numbers are so many that reading them must not keep small requests waiting. */
    public boolean isLarge() {
        return numbers() > MANY_NUMBERS;
    }

    /** The most columns that are together in a table; all columns if there is one table. */
    int columnsTogether() {
        Integer together = cells().together();
        return Math.min(columns().size(), together == null ? columns().size() : together);
    }

    /** How many cells all its tables have. */
    long cellsOfTables() {
        return purchases.getFirst().answer("cells").asLong();
    }

    /** How many noisy numbers it has. */
    long numbers() {
        return counted().stream().mapToLong(Purchase::numbers).sum();
    }

    /** Whether no cell holds less than zero. */
    boolean isNeverNegative() {
        Column.Numeric measure = cells().measure();
        return measure == null || measure.lower() >= 0;
    }

    /** The place of a column; -1 if the synopsis does not have it. */
    int place(String column) {
        return names().indexOf(column);
    }

    List<String> names() {
        return cells().keys().stream().map(key -> key.column().name()).toList();
    }
}
