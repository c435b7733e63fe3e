package dev.purser.sql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reply to a statement.
 *
 * @param queryId the id of the answer that it shows; null if it shows none
 * @param updateType the name of a statement that is not a query; null for a query
 * @param changes the values that the client has to send with its next statements, by the names of headers
 */
public record SqlReply(
        @Nullable String queryId, SqlTable table, @Nullable String updateType, Map<String, String> changes) {
    static SqlReply of(SqlTable table) {
        return new SqlReply(null, table, null, Map.of());
    }

    /** The reply to a statement that is not a query. */
    static SqlReply done(String updateType) {
        SqlTable.Column column = new SqlTable.Column("result", SqlType.BOOLEAN);
        return new SqlReply(null, new SqlTable(List.of(column), List.of(List.of(true))), updateType, Map.of());
    }

    /** @param what the changed value, as the protocol's headers name it */
    SqlReply with(String what, String value) {
        Map<String, String> more = new LinkedHashMap<>(changes);
        more.put("X-Trino-" + what, value);
        return new SqlReply(queryId, table, updateType, more);
    }
}
