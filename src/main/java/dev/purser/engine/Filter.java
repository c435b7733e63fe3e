package dev.purser.engine;

import dev.purser.dataset.Column;
import java.util.List;
import java.util.stream.Stream;

/**
 * A conjunction of conditions on stored grid integers. Filters are data; an engine renders them with bound parameters.
 *
 * @param conditions empty means every row
 */
public record Filter(List<Condition> conditions) {
    public static final Filter ALL_ROWS = new Filter(List.of());

    public Filter {
        conditions = List.copyOf(conditions);
    }

    /** Whether the filter can leave out a row. */
    public boolean isSelective() {
        return !conditions.isEmpty();
    }

    /** The rows that pass this filter and meet a condition. */
    public Filter and(Condition condition) {
        return new Filter(
                Stream.concat(conditions.stream(), Stream.of(condition)).toList());
    }

    /** One condition on one column. */
    public sealed interface Condition {
        Column column();
    }

    /** {@code from <= x < to} in grid steps; the least and the greatest {@code long} are open ends. May be empty. */
    public record Between(Column.Numeric column, long from, long to) implements Condition {}

    /** The category is in the set. */
    public record OneOf(Column.Category column, CategorySet categories) implements Condition {}
}
