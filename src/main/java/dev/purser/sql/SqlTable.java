package dev.purser.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A table in memory. Its values are public, or noisy already. */
public record SqlTable(List<Column> columns, List<? extends List<@Nullable Object>> rows) {
    /** @param name the name that the statement gives it */
    public record Column(String name, SqlType type) {}

    static Column text(String name) {
        return new Column(name, SqlType.VARCHAR);
    }

    /**
     * A table whose columns are all texts.
     *
     * @param names the names of the columns, separated by commas
     */
    static SqlTable ofTexts(String names, List<? extends List<@Nullable Object>> rows) {
        return new SqlTable(Stream.of(names.split(", ")).map(SqlTable::text).toList(), rows);
    }

    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }

    /** The rows whose first value is a text like the pattern, in which a backslash escapes. */
    SqlTable like(String pattern) {
        return new SqlTable(
                columns,
                rows.stream()
                        .filter(row -> SqlRows.isLike(String.valueOf(row.getFirst()), pattern, "\\"))
                        .toList());
    }

    /** The rows, their values in the form in which the protocol has them. */
    public List<List<@Nullable Object>> sent() {
        List<List<@Nullable Object>> sent = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                values.add(columns.get(i).type().sent(row.get(i)));
            }
            sent.add(values);
        }
        return sent;
    }
}
