package dev.purser.json;

import dev.purser.json.JsonValue.JsonArray;
import dev.purser.json.JsonValue.JsonBoolean;
import dev.purser.json.JsonValue.JsonNull;
import dev.purser.json.JsonValue.JsonNumber;
import dev.purser.json.JsonValue.JsonObject;
import dev.purser.json.JsonValue.JsonOmitted;
import dev.purser.json.JsonValue.JsonOversizedArray;
import dev.purser.json.JsonValue.JsonString;

/** Formats sent values for a refusal: short, on one line, and safe to print. */
public final class Text {
    private static final int SHOWN = 40;

    private Text() {}

    /** Whether every surrogate has its partner. */
    static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            }
        }
        return true;
    }

    /** Whether a character moves the cursor, is invisible, or reorders its neighbours. */
    private static boolean isUnsafe(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /** The start of {@code text} in quotation marks, with control characters escaped. */
    public static String quoted(String text) {
        return '"' + shortened(text) + '"';
    }

    /** The value in the form that ends a sentence about it. */
    static String shown(JsonValue value) {
        return switch (value) {
            case JsonString(String text) -> quoted(text);
            case JsonNumber(String token) -> shortened(token);
            case JsonBoolean(boolean truth) -> String.valueOf(truth);
            case JsonNull() -> "null";
            case JsonObject _ -> "an object";
            case JsonArray _, JsonOversizedArray _ -> "an array";
            case JsonOmitted _ -> "beyond a limit";
        };
    }

    private static String shortened(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(SHOWN).forEach(c -> {
            if (isUnsafe(c)) {
                for (char half : Character.toChars(c)) {
                    shown.append(String.format("\\u%04x", (int) half));
                }
            } else {
                shown.appendCodePoint(c);
            }
        });
        return text.codePoints().skip(SHOWN).findAny().isPresent() ? shown + "…" : shown.toString();
    }
}
