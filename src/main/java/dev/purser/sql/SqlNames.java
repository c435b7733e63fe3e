package dev.purser.sql;

import dev.purser.json.Alternatives;
import dev.purser.json.Text;
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

    /** Whether the names differ only in case, or in characters that a word cannot have. */
    static boolean areAlike(String one, String other) {
        return asWord(one).equals(asWord(other));
    }

    private static String asWord(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_]", "_");
    }
}
