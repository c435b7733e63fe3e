package dev.purser.engine;

import dev.purser.dataset.Column;
import dev.purser.dataset.Dataset;
import dev.purser.dataset.RowsDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pass as a statement of two columns, value and count. Its text depends on column positions and on the shape of the filter;
 * its parameters carry every number of the request.
 */
record Query(String sql, List<Long> parameters) {
    /**
     * @throws IllegalArgumentException if a column is none of the dataset's: a planning error, and public
     */
    static Query of(Dataset dataset, @Nullable Column column, Filter filter) {
        List<Long> parameters = new ArrayList<>();
        List<String> conditions = new ArrayList<>();
        for (Filter.Condition condition : filter.conditions()) {
            String name = name(dataset, condition.column());
            switch (condition) {
                case Filter.Between between -> renderBetween(name, between, conditions, parameters);
                case Filter.OneOf oneOf -> renderOneOf(name, oneOf, conditions, parameters);
            }
        }
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        String from = " FROM " + RowsDatabase.TABLE + where;
        if (column == null) {
            return new Query("SELECT 0, count(*)" + from, parameters);
        }
        String value = name(dataset, column);
        return new Query("SELECT " + value + ", count(*)" + from + " GROUP BY " + value, parameters);
    }

    private static void renderBetween(
            String name, Filter.Between between, List<String> conditions, List<Long> parameters) {
        if (between.from() >= between.to()) {
            conditions.add("FALSE");
            return;
        }
        if (between.from() != Long.MIN_VALUE) {
            conditions.add(name + " >= ?");
            parameters.add(between.from());
        }
        if (between.to() != Long.MAX_VALUE) {
            conditions.add(name + " < ?");
            parameters.add(between.to());
        }
    }

    private static void renderOneOf(String name, Filter.OneOf oneOf, List<String> conditions, List<Long> parameters) {
        if (oneOf.indices().isEmpty()) {
            conditions.add("FALSE");
            return;
        }
        conditions.add(name + " IN ("
                + String.join(", ", Collections.nCopies(oneOf.indices().size(), "?")) + ")");
        oneOf.indices().forEach(index -> parameters.add((long) index));
    }

    private static String name(Dataset dataset, Column column) {
        int position = dataset.columns().indexOf(column);
        if (position < 0) {
            throw new IllegalArgumentException("not a column of dataset " + dataset.id() + ": " + column.name());
        }
        return RowsDatabase.columnName(position);
    }
}
