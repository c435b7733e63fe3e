package dev.purser.journal;

import dev.purser.store.LedgerSettings;
import dev.purser.store.Tampering;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Columns of deciding rows that were changed by somebody who has the database and not the home. */
public final class ChangedColumns {
    private static final Pattern INSERT = Pattern.compile("INSERT INTO (\\w+) \\((.*?)\\).*");

    private ChangedColumns() {}

    /** The names of all declared columns. */
    public static Stream<String> of(DecidingRows<?> rows) {
        return rows.columns.stream().map(DecidingRows.Column::name);
    }

    /**
     * Gives a column another value. The table has no columns but those that are declared.
     *
     * @param where the rows that are changed
     */
    public static void change(Path home, LedgerSettings settings, DecidingRows<?> rows, String column, String where)
            throws SQLException {
        Matcher insert = INSERT.matcher(rows.insert);
        assertThat(insert.matches()).isTrue();
        String table = insert.group(1);
        String other;
        try (Connection connection = Tampering.connect(home, settings);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM " + table)) {
            ResultSetMetaData columns = found.getMetaData();
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                names.add(columns.getColumnName(i));
            }
            assertThat(names).containsExactlyInAnyOrder(insert.group(2).split(", "));
            other = switch (columns.getColumnType(names.indexOf(column) + 1)) {
                case Types.VARCHAR -> "coalesce(" + column + ", '') || 'x'";
                case Types.INTEGER, Types.BIGINT -> "coalesce(" + column + ", 0) + 1";
                default -> settings.isEmbedded() ? "x'07'" : "'\\x07'";
            };
        }
        Tampering.tamper(home, settings, "UPDATE " + table + " SET " + column + " = " + other + " WHERE " + where);
    }
}
