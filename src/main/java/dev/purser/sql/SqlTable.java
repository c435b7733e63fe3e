package dev.purser.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table in memory: what is public, or noisy already. */
public record SqlTable(List<Column> columns, List<? extends List<@Nullable Object>> rows) {
    /** @param name as the statement names it */
    public record Column(String name, SqlType type) {}

    static Column text(String name) {
        return new Column(name, SqlType.VARCHAR);
    }

    /** A table whose columns are all texts. */
    static SqlTable ofTexts(List<String> names, List<? extends List<@Nullable Object>> rows) {
        return new SqlTable(names.stream().map(SqlTable::text).toList(), rows);
    }

    List<String> names() {
        return columns.stream().map(Column::name).toList();
    }
}
