package dev.purser.json;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Names that a request may use, as the refusal of another name lists them. The text and the work are bounded, whatever
 * was sent and however many names there are.
 */
public final class Alternatives {
    private static final int LISTED = 10;
    private static final int MOST_COMPARED = 1_000;
    private static final int LONGEST_COMPARED = 40;

    private Alternatives() {}

    /** The first ten names in quotation marks, and how many more there are. */
    public static String listed(List<String> names) {
        String first = names.stream().limit(LISTED).map(Text::quoted).collect(Collectors.joining(", "));
        return names.size() > LISTED ? first + " and " + (names.size() - LISTED) + " more" : first;
    }

    /** The name that is nearest to the sent name, as the end of the sentence that refuses it; empty if none is near. */
    public static String nearest(String sent, List<String> names) {
        return nearestName(sent, names)
                .map(name -> "; the nearest is " + Text.quoted(name))
                .orElse("");
    }

    /**
     * The name that is nearest to the sent name. It differs in at most two characters, or in at most a third of the
     * sent characters if that is more: changed, added or left out. Case and spaces around a name do not matter.
     */
    public static Optional<String> nearestName(String sent, List<String> names) {
        String nearest = null;
        if (sent.length() <= LONGEST_COMPARED) {
            int most = Math.min(Math.max(2, sent.length() / 3), sent.length() - 1);
            for (String name : names.subList(0, Math.min(names.size(), MOST_COMPARED))) {
                int distance = Math.abs(name.length() - sent.length()) > most ? most + 1 : distance(sent, name);
                if (distance <= most) {
                    nearest = name;
                    most = distance - 1;
                }
            }
        }
        return Optional.ofNullable(nearest);
    }

    /**
     * The Levenshtein distance without regard to case and to spaces around, by Wagner and Fischer: one row of the table
     * at a time.
     */
    private static int distance(String one, String other) {
        String sent = one.strip().toLowerCase(Locale.ROOT);
        String name = other.strip().toLowerCase(Locale.ROOT);
        int[] row = IntStream.rangeClosed(0, name.length()).toArray();
        for (int i = 1; i <= sent.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= name.length(); j++) {
                int replaced = diagonal + (sent.charAt(i - 1) == name.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[name.length()];
    }
}
