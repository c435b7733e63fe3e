package dev.purser.dataset.parser;

/**
 * What a file's form can break. The parser names a rule by its position here and nothing else, so that no byte of the file
 * can become part of a message.
 */
public enum FormRule {
    OPEN_QUOTE("a quoted field is not closed"),
    QUOTE_IN_FIELD("a quote stands inside an unquoted field"),
    TEXT_AFTER_QUOTE("text follows a closing quote"),
    CARRIAGE_RETURN("a carriage return is not followed by a line feed"),
    NUL("the text has a NUL character"),
    NOT_UTF8("the text is not UTF-8"),
    FIELD_TOO_LONG("a field is longer than " + FieldFrames.MAX_FIELD_BYTES + " bytes"),
    NOT_PARQUET("the file is not Parquet that can be read within the limits of an upload");

    private final String text;

    FormRule(String text) {
        this.text = text;
    }

    /** The rule as its refusal states it. */
    public String text() {
        return text;
    }
}
