package dev.purser.sql;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
import dev.purser.sql.SqlExpression.Name;
import dev.purser.sql.SqlRefusal.Error;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds what a name in a statement means. This is the same name if there is one. Otherwise it is the only name that is
 * the same apart from case, and apart from characters for which the statement has {@code _}. So {@code hours_per_week}
 * means the column {@code hours-per-week}.
 */
final class SqlNames {
    private final List<String> names;
    private final Map<String, List<String>> byWord;

    SqlNames(List<String> names) {
        this.names = names;
        this.byWord = names.stream().collect(Collectors.groupingBy(SqlNames::asWord));
    }

    /**
     * The name that is meant.
     *
     * @param what the kind of thing that has the names, for the sentence that refuses an unknown name
     */
    String meant(String written, String what, Error error) {
        List<String> alike =
                names.contains(written) ? List.of(written) : byWord.getOrDefault(asWord(written), List.of());
        if (alike.size() == 1) {
            return alike.getFirst();
        }
        String shown = what + " " + Text.quoted(written);
        throw new SqlRefusal(
                error,
                alike.isEmpty()
                        ? "there is no " + shown
                                + (names.isEmpty() ? "" : "; there are " + Alternatives.listed(names))
                                + Alternatives.nearest(written, names)
                        : shown + " can be any of " + Alternatives.listed(alike)
                                + ": write it in double quotation marks");
    }

    /**
     * The place of the column that is meant.
     *
     * @param tables the names of tables that may qualify the column's name
     * @throws SqlRefusal as {@link #meant}; also if several columns have that name
     */
    int place(Name name, List<String> tables) {
        if (name.parts().size() > 1) {
            String table = name.parts().get(name.parts().size() - 2);
            new SqlNames(tables).meant(table, "table", Error.TABLE_NOT_FOUND);
        }
        String meant = meant(name.last(), "column", Error.COLUMN_NOT_FOUND);
        if (names.indexOf(meant) != names.lastIndexOf(meant)) {
            throw new SqlRefusal(
                    Error.COLUMN_NOT_FOUND,
                    "there are several columns " + Text.quoted(meant) + ": give each a name of its own with AS");
        }
        return names.indexOf(meant);
    }

    /** Whether the names differ only in case, or in characters that a word cannot have. */
    static boolean areAlike(String one, String other) {
        return asWord(one).equals(asWord(other));
    }

    private static String asWord(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_]", "_");
    }
}
