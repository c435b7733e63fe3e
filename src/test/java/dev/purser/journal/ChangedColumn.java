package dev.purser.journal;

import dev.purser.store.Database;
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

/** A declared column of a deciding row. Somebody who has the database but not the home changes it. */
public record ChangedColumn(DecidingRows<?> rows, String column) {
    private static final Pattern INSERT = Pattern.compile("INSERT INTO (\\w+) \\((.*?)\\).*");

    /** All declared columns of these tables. */
    public static Stream<ChangedColumn> of(DecidingRows<?>... tables) {
        return Stream.of(tables)
                .flatMap(rows -> rows.columns.stream().map(each -> new ChangedColumn(rows, each.name())));
    }

    private Matcher insert() {
        Matcher insert = INSERT.matcher(rows.insert);
        assertThat(insert.matches()).isTrue();
        return insert;
    }

    /** Gives the column another value in the first row. The table has only declared columns. */
    public void makeIn(Path home, LedgerSettings settings) throws SQLException {
        String table = insert().group(1);
        String key = rows.columns.getFirst().name();
        Tampering.tamper(
                home,
                settings,
                "UPDATE %s SET %s = %s WHERE %s = (SELECT min(%4$s) FROM %1$s)"
                        .formatted(table, column, another(home, settings, table), key));
    }

    private String another(Path home, LedgerSettings settings, String table) throws SQLException {
        try (Connection connection = Tampering.connect(home, settings);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT * FROM " + table)) {
            ResultSetMetaData columns = found.getMetaData();
            List<String> names = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                names.add(columns.getColumnName(i));
            }
            assertThat(names).containsExactlyInAnyOrder(insert().group(2).split(", "));
            return switch (columns.getColumnType(names.indexOf(column) + 1)) {
                case Types.VARCHAR -> "coalesce(" + column + ", '') || 'x'";
                case Types.INTEGER, Types.BIGINT -> "coalesce(" + column + ", 0) + 1000";
                default -> settings.isEmbedded() ? "x'07'" : "'\\x07'";
            };
        }
    }

    /** Requires that the rows are no longer handed out. */
    public void refusedBy(Database database) {
        ChangedRows.refused(
                rows.object("", "", "").split(" ")[0],
                () -> database.read(connection -> rows.all(connection, rows.select(""))));
    }

    @Override
    public String toString() {
        return insert().group(1) + "." + column;
    }
}
