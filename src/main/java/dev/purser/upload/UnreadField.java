package dev.purser.upload;

import dev.purser.dataset.Column;
import dev.purser.dataset.Notation;
import java.text.Normalizer;
import java.util.regex.Pattern;

/** Says, from its form alone, what is wrong with a field that is no value of its column, and what to do. */
final class UnreadField {
    static final String MISSING =
            "the value is missing: correct it, remove the row if it is empty, or register the column with a substitute"
                    + " as missing";

    /** Longer texts have none of the forms below. */
    private static final int LONGEST = 64;

    /** The most characters of a listed name. The time to sort many accents grows with the square of their number. */
    private static final int LONGEST_NAME = 1024;

    private static final Pattern THOUSANDS = Pattern.compile("[+-]?[0-9]{1,3}(,[0-9]{3})+(\\.[0-9]*)?");
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?([0-9]+|[0-9]{1,3}([. ][0-9]{3})+)?,[0-9]+");
    private static final Pattern INFINITE = Pattern.compile("(?i)[+-]?inf(inity)?");
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+(\\.[0-9]*)?");
    private static final Pattern FRACTION = Pattern.compile("[+-]?[0-9]*\\.[0-9]+");
    private static final Pattern YEAR_LAST = Pattern.compile("[0-9]{1,2}([./-])[0-9]{1,2}\\1([0-9]{2}|[0-9]{4})( .*)?");
    private static final Pattern TIME_OF_DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:.*");

    private UnreadField() {}

    /** The rule that a field breaks. All fields of the same form get the same text. */
    static String rule(String text, Column column) {
        if (hasSpacesAround(text)) {
            return "the value has spaces around it: remove them";
        }
        return switch (column) {
            case Column.Category category
            when category.indexOf(composed(text)) >= 0 ->
                "the value is a category whose accents are characters of their own (Unicode NFD): write it in NFC";
            case Column.Category category ->
                "the value is not " + category.formInUpload() + ": correct it, or register "
                        + (category.hasNames()
                                ? "the column with a substitute as missing"
                                : "it as one of the column's missingSpellings with a substitute as missing");
            case Column.Numeric numeric -> {
                String form = text.length() > LONGEST ? "" : text;
                yield switch (numeric.notation()) {
                    case Notation.Numbers numbers -> ofNumber(form, numbers);
                    case Notation.Times times -> ofTime(form, times);
                };
            }
        };
    }

    /** Non-breaking spaces count too, because spreadsheets and web pages have them. */
    private static boolean hasSpacesAround(String text) {
        return !text.isEmpty() && (isSpace(text.charAt(0)) || isSpace(text.charAt(text.length() - 1)));
    }

    private static boolean isSpace(char character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character);
    }

    /**
     * The text with each letter and its accents as one character. Apple's systems write the accents in file names
     * apart.
     */
    static String composed(String text) {
        return text.length() > LONGEST_NAME ? text : Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    private static String ofNumber(String text, Notation.Numbers numbers) {
        if (THOUSANDS.matcher(text).matches()) {
            return "the value has a comma, as between thousands: write numbers without it, such as 1193.91";
        }
        if (DECIMAL_COMMA.matcher(text).matches()) {
            return "the value has a decimal comma: write numbers with a point, such as 72.5";
        }
        if (INFINITE.matcher(text).matches()) {
            return "the value is infinite: write the number that it stands for, such as the column's bound, or list it"
                    + " in the column's missingSpellings";
        }
        return FRACTION.matcher(text).matches()
                ? "the value has a fraction: correct it, or register the column with the type decimal"
                : unread(numbers);
    }

    private static String ofTime(String text, Notation.Times times) {
        if (YEAR_LAST.matcher(text).matches()) {
            return "the date does not begin with its year: write dates such as 2020-01-31";
        }
        if (NUMBER.matcher(text).matches()) {
            return "the value is a number where " + times.formInUpload() + " belongs: write it so, in Parquet by the"
                    + " column's type, or register the column with the type integer";
        }
        return times instanceof Notation.Dates && TIME_OF_DAY.matcher(text).matches()
                ? "the value has a time of day: register the column with the type timestamp, or send dates alone"
                : unread(times);
    }

    private static String unread(Notation notation) {
        return "the value is not " + notation.formInUpload()
                + ": correct it, or list it in the column's missingSpellings if it stands for a missing value";
    }
}
