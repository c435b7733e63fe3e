package dev.purser.json;

/** JSON in tests, which is easier to read with single quotes inside a string of Java. */
public final class JsonText {
    private JsonText() {}

    /** The text with a double quote in place of each single one. */
    public static String quoted(String text) {
        return text.replace('\'', '"');
    }
}
