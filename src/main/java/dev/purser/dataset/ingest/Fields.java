package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.FormRule;
import java.nio.charset.StandardCharsets;

/**
 * The fields of an upload, as its parser hands them over. The parser is not trusted: it has seen the file. So nothing is taken
 * from it but bytes of a bounded length, where a record ends, line numbers that go up, and the number of a rule.
 *
 * <p>A field is a slice of one reused buffer, valid until the next call. Memory is bounded by the longest permitted field.
 */
final class Fields {
    /** Before one field: its line, that it is untyped, and what its column holds. */
    private static final int MAX_CONTROLS = 3;

    /** A field in the short form, with what is before it. */
    private static final int MAX_SHORT_FRAME = FieldFrames.LONG_FIELD;

    private static final int NOT_SHARED = -1;

    private static final FormRule[] RULES = FormRule.values();

    private final FrameBuffer buffer;

    private int from;
    private int to;
    private boolean endsRecord = true;
    private boolean untyped;
    private FieldForm form = FieldForm.TEXT;
    private long recordLine;
    private int sharedLength = NOT_SHARED;

    /** @param buffer of frames as {@link FieldFrames} describes them */
    Fields(FrameBuffer buffer) {
        this.buffer = buffer;
    }

    byte[] bytes() {
        return buffer.bytes;
    }

    /** The first byte of the field in {@link #bytes()}. */
    int from() {
        return from;
    }

    /** The end of the field in {@link #bytes()}. */
    int to() {
        return to;
    }

    /** Whether the field was the last of its record. */
    boolean endsRecord() {
        return endsRecord;
    }

    /** Whether the field, in a header, names a column whose values cannot be read. */
    boolean untyped() {
        return untyped;
    }

    /** How the column that the field, in a header, names is handed over. */
    FieldForm form() {
        return form;
    }

    /** The line on which the field's record starts; the first is 1. */
    long recordLine() {
        return recordLine;
    }

    String text() {
        return new String(buffer.bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Moves to the next field.
     *
     * @return false at the end of the upload
     * @throws dev.purser.problem.ProblemException {@code invalid-data} if the parser refuses the file
     * @throws ParserFailure if the parser died or does not keep to the form
     */
    boolean next() throws ParserFailure {
        untyped = false;
        form = FieldForm.TEXT;
        if (buffer.limit - buffer.position > MAX_SHORT_FRAME && isShort(buffer.bytes[buffer.position])) {
            recordLine += endsRecord ? 1 : 0;
            readShort(buffer.bytes[buffer.position++]);
            return true;
        }

        long line = endsRecord ? recordLine + 1 : recordLine;
        for (int controls = 0; controls <= MAX_CONTROLS; controls++) {
            int head = buffer.readByte();
            if ((head & FieldFrames.CONTROL) != FieldFrames.CONTROL) {
                recordLine = line;
                readField(head);
                return true;
            }
            switch (buffer.readByte()) {
                case FieldFrames.LINE -> line = readLine(line);
                case FieldFrames.UNTYPED -> untyped = true;
                case FieldFrames.UNSCALED ->
                    form = FieldForm.unscaled(buffer.readByte(), buffer.readByte(), buffer.readNumber(Long.BYTES));
                case FieldFrames.DOUBLES -> form = FieldForm.DOUBLE;
                case FieldFrames.REFUSED -> throw refusal();
                case FieldFrames.END -> {
                    if (!endsRecord) {
                        throw new ParserFailure();
                    }
                    return false;
                }
                default -> throw new ParserFailure();
            }
        }
        throw new ParserFailure();
    }

    private static boolean isShort(byte head) {
        return (head & FieldFrames.CONTROL) < FieldFrames.LONG_FIELD;
    }

    private void readShort(byte head) {
        from = buffer.position;
        to = from + (head & FieldFrames.CONTROL);
        buffer.position = to;
        endsRecord = head < 0;
    }

    private void readField(int head) throws ParserFailure {
        int length = head & FieldFrames.CONTROL;
        if (length == FieldFrames.LONG_FIELD) {
            length = (int) buffer.readNumber(Integer.BYTES);
            if (length < 0 || length > FieldFrames.MAX_FIELD_BYTES) {
                throw new ParserFailure();
            }
        }
        buffer.require(length);
        from = buffer.position;
        to = from + length;
        buffer.position = to;
        endsRecord = (head & FieldFrames.LAST_OF_RECORD) != 0;
    }

    private long readLine(long least) throws ParserFailure {
        long line = buffer.readNumber(Long.BYTES);
        if (!endsRecord || line < least) {
            throw new ParserFailure();
        }
        return line;
    }

    private RuntimeException refusal() throws ParserFailure {
        int rule = buffer.readByte();
        long line = buffer.readNumber(Long.BYTES);
        if (rule >= RULES.length || line < 1) {
            throw new ParserFailure();
        }
        return InvalidData.at(line, RULES[rule].text());
    }

    /**
     * Moves to the next batch, which comes next in the buffer, unless it is {@link #isShared}.
     *
     * @return how many rows it has; 0 at the end of the upload
     * @throws dev.purser.problem.ProblemException {@code invalid-data} if the parser refuses the file
     * @throws ParserFailure if the parser died or does not keep to the form
     */
    int nextBatch() throws ParserFailure {
        if (buffer.readByte() != FieldFrames.CONTROL) {
            throw new ParserFailure();
        }
        sharedLength = NOT_SHARED;
        return switch (buffer.readByte()) {
            case FieldFrames.BATCH -> readBatchRows();
            case FieldFrames.SHARED -> {
                int rows = readBatchRows();
                sharedLength = (int) buffer.readNumber(Integer.BYTES);
                yield rows;
            }
            case FieldFrames.REFUSED -> throw refusal();
            case FieldFrames.END -> 0;
            default -> throw new ParserFailure();
        };
    }

    /** Whether the batch is in memory that the parser shares with the service. */
    boolean isShared() {
        return sharedLength != NOT_SHARED;
    }

    /** The length of a shared batch, as its parser says. */
    int sharedLength() {
        return sharedLength;
    }

    private int readBatchRows() throws ParserFailure {
        int rows = (int) buffer.readNumber(Integer.BYTES);
        if (rows < 1 || rows > FieldFrames.MAX_BATCH_ROWS) {
            throw new ParserFailure();
        }
        return rows;
    }
}
