package dev.purser.dataset.parser;

/** Ends the reading of a file whose form breaks a rule. */
final class MalformedUpload extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long line;
    private final FormRule rule;

    /** @param line the physical line on which the record starts; the first is 1 */
    MalformedUpload(long line, FormRule rule) {
        super(rule.text(), null, false, false);
        this.line = line;
        this.rule = rule;
    }

    long line() {
        return line;
    }

    FormRule rule() {
        return rule;
    }
}
