package dev.purser.dataset.ingest;

import dev.purser.dataset.parser.FieldFrames;
import dev.purser.dataset.parser.FormRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The fields of an upload, as its parser hands them over. The parser is not trusted: it has seen the file. So nothing is taken
 * from it but bytes of a bounded length, where a record ends, line numbers that go up, and the number of a rule.
 *
 * <p>A field is a slice of one reused buffer, valid until the next call. Memory is bounded by the longest permitted field.
 */
final class Fields {
    private static final int FIRST_BUFFER = 1 << 16;
    /** Before one field: its line, and that it is untyped. */
    private static final int MAX_CONTROLS = 2;

    /** A field in the short form, with what is before it. */
    private static final int MAX_SHORT_FRAME = FieldFrames.LONG_FIELD;

    private static final FormRule[] RULES = FormRule.values();

    private final InputStream frames;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int position;
    private int limit;

    private int from;
    private int to;
    private boolean endsRecord = true;
    private boolean untyped;
    private long recordLine;

    /** @param frames as {@link FieldFrames} describes them */
    Fields(InputStream frames) {
        this.frames = frames;
    }

    byte[] bytes() {
        return buffer;
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

    /** The line on which the field's record starts; the first is 1. */
    long recordLine() {
        return recordLine;
    }

    String text() {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
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
        if (limit - position > MAX_SHORT_FRAME && isShort(buffer[position])) {
            recordLine += endsRecord ? 1 : 0;
            readShort(buffer[position++]);
            return true;
        }
        long line = endsRecord ? recordLine + 1 : recordLine;
        for (int controls = 0; controls <= MAX_CONTROLS; controls++) {
            int head = readByte();
            if ((head & FieldFrames.CONTROL) != FieldFrames.CONTROL) {
                recordLine = line;
                readField(head);
                return true;
            }
            switch (readByte()) {
                case FieldFrames.LINE -> line = readLine(line);
                case FieldFrames.UNTYPED -> untyped = true;
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
        from = position;
        position += head & FieldFrames.CONTROL;
        to = position;
        endsRecord = head < 0;
    }

    private void readField(int head) throws ParserFailure {
        int length = head & FieldFrames.CONTROL;
        if (length == FieldFrames.LONG_FIELD) {
            require(Integer.BYTES);
            length = (int) readNumber(Integer.BYTES);
            if (length < 0 || length > FieldFrames.MAX_FIELD_BYTES) {
                throw new ParserFailure();
            }
        }
        require(length);
        from = position;
        position += length;
        to = position;
        endsRecord = (head & FieldFrames.LAST_OF_RECORD) != 0;
    }

    private long readLine(long least) throws ParserFailure {
        long line = readNumber(Long.BYTES);
        if (!endsRecord || line < least) {
            throw new ParserFailure();
        }
        return line;
    }

    private RuntimeException refusal() throws ParserFailure {
        int rule = readByte();
        long line = readNumber(Long.BYTES);
        if (rule >= RULES.length || line < 1) {
            throw new ParserFailure();
        }
        return InvalidData.at(line, RULES[rule].text());
    }

    private int readByte() throws ParserFailure {
        require(1);
        return buffer[position++] & 0xFF;
    }

    private long readNumber(int bytes) throws ParserFailure {
        require(bytes);
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << 8 | buffer[position++] & 0xFF;
        }
        return number;
    }

    /** Makes the next {@code count} bytes available at {@link #position}. May move those before. */
    private void require(int count) throws ParserFailure {
        if (limit - position >= count) {
            return;
        }
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
        if (buffer.length < count) {
            buffer = Arrays.copyOf(buffer, Math.max(count, 2 * buffer.length));
        }
        while (limit < count) {
            int read = receive();
            if (read < 0) {
                throw new ParserFailure();
            }
            limit += read;
        }
    }

    private int receive() throws ParserFailure {
        try {
            return frames.read(buffer, limit, buffer.length - limit);
        } catch (IOException stopped) {
            throw new ParserFailure();
        }
    }
}
