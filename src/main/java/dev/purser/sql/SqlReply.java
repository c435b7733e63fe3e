package dev.purser.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a statement returns.
 *
 * @param queryId of the answer that it shows; null if it shows none
 * @param table the rows
 * @param updateType what it did, for a statement that is no query; null for a query
 * @param changes what the client has to remember for its next statements
 */
public record SqlReply(
        @Nullable String queryId, SqlTable table, @Nullable String updateType, Map<Change, String> changes) {
    /** What changes in a client's session, in headers of the reply. */
    public enum Change {
        SET_SESSION("X-Trino-Set-Session"),
        CLEAR_SESSION("X-Trino-Clear-Session"),
        SET_CATALOG("X-Trino-Set-Catalog"),
        SET_SCHEMA("X-Trino-Set-Schema"),
        ADDED_PREPARE("X-Trino-Added-Prepare"),
        DEALLOCATED_PREPARE("X-Trino-Deallocated-Prepare");

        private final String header;

        Change(String header) {
            this.header = header;
        }

        public String header() {
            return header;
        }
    }

    static SqlReply of(SqlTable table) {
        return new SqlReply(null, table, null, Map.of());
    }

    static SqlReply done(String updateType) {
        return new SqlReply(
                null,
                new SqlTable(List.of(new SqlTable.Column("result", SqlType.BOOLEAN)), List.of(List.of(true))),
                updateType,
                Map.of());
    }

    SqlReply with(Change change, String value) {
        Map<Change, String> more = new LinkedHashMap<>(changes);
        more.put(change, value);
        return new SqlReply(queryId, table, updateType, more);
    }

    public List<SqlTable.Column> columns() {
        return table.columns();
    }

    /** The rows, their values in the form in which the protocol has them. */
    public List<List<@Nullable Object>> rows() {
        return table.rows().stream().map(this::sent).toList();
    }

    private List<@Nullable Object> sent(List<@Nullable Object> row) {
        List<@Nullable Object> sent = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            sent.add(table.columns().get(i).type().sent(row.get(i)));
        }
        return sent;
    }
}
