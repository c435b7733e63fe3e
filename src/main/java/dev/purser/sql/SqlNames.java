package dev.purser.sql;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import dev.purser.sql.SqlExpression.Name;
import java.util.List;
import java.util.Locale;

/**
 * Finds what a name of a statement means: the same name, or else the only one that differs from it in case, or in
 * characters for which the statement has {@code _}. So {@code hours_per_week} means the column {@code hours-per-week}.
 */
final class SqlNames {
    private SqlNames() {}

    /**
     * The one of {@code names} that is meant.
     *
     * @param what they name, for the sentence that refuses another
     */
    static String meant(String written, List<String> names, String what, SqlRefusal.Error error) {
        if (names.contains(written)) {
            return written;
        }
        List<String> alike =
                names.stream().filter(name -> areAlike(name, written)).toList();
        if (alike.size() == 1) {
            return alike.getFirst();
        }
        throw new SqlRefusal(
                error,
                alike.isEmpty()
                        ? "there is no " + what + " " + Text.quoted(written)
                                + (names.isEmpty() ? "" : "; there are " + Alternatives.listed(names))
                                + Alternatives.nearest(written, names)
                        : "the " + what + " " + Text.quoted(written) + " can be any of " + Alternatives.listed(alike)
                                + ": write it in double quotation marks");
    }

    /**
     * The place of the one that is meant.
     *
     * @throws SqlRefusal as {@link #meant}; also if there are several of that name
     */
    static int place(String written, List<String> columns) {
        String meant = meant(written, columns, "column", SqlRefusal.Error.COLUMN_NOT_FOUND);
        if (columns.indexOf(meant) != columns.lastIndexOf(meant)) {
            throw ambiguous(meant);
        }
        return columns.indexOf(meant);
    }

    static SqlRefusal ambiguous(String name) {
        return new SqlRefusal(
                SqlRefusal.Error.COLUMN_NOT_FOUND,
                "there are several columns " + Text.quoted(name) + ": give each a name of its own with AS");
    }

    /** Refuses what a column's name is qualified with, if it is not the table. */
    static void requireTable(Name column, List<String> tables) {
        if (column.parts().size() > 1) {
            meant(column.parts().get(column.parts().size() - 2), tables, "table", SqlRefusal.Error.TABLE_NOT_FOUND);
        }
    }

    /** Whether the names differ only in case, or in characters that a word cannot have. */
    static boolean areAlike(String one, String other) {
        return asWord(one).equals(asWord(other));
    }

    private static String asWord(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_]", "_");
    }
}
