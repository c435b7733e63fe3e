package dev.purser.upload;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a CSV file field by field: RFC 4180 with LF or CRLF, in UTF-8 with or without a byte order mark. Everything
 * else is {@link #damage() damage}: an open quote at the end, text after a closing quote, a quote inside an unquoted
 * field, a carriage return alone, bytes that are not UTF-8, a NUL. The reason is that a truncated or shifted file that
 * loads quietly answers questions wrongly for ever.
 *
 * <p>After damage, reading goes on with the next record, so that a sender learns of all damage at once. After a wrong
 * quote or carriage return, the next record is taken to begin on the next line. If no end of a field or of a line is in
 * reach, or the file has another format, the rest of the file is lost.
 *
 * <p>It was written here because the available readers are too lenient: FastCSV accepts an open quote at the end of a
 * file, and so takes half an upload for a complete one. The decision and its limits: docs/adr/0010.
 *
 * <p>A field is a slice of one reused buffer, valid until the next call. Memory is bounded by the longest permitted
 * field, whatever the input. Separators are ASCII, so they can be found in the bytes before anything is decoded.
 */
final class CsvScanner {
    /** The longest field taken, in bytes. */
    static final int MAX_FIELD_BYTES = 1 << 20;

    /** The cause may be a separator other than the comma. */
    static final String TEXT_AFTER_QUOTE =
            "text follows a closing quote, where only a comma or a line end may: double the" + " quotes inside a field";

    private static final int FIRST_BUFFER = 1 << 16;
    private static final String TOO_LONG =
            "a field is longer than " + MAX_FIELD_BYTES + " bytes: shorten it, leave its column out if that is not"
                    + " registered, or close the quote that it begins with";
    private static final String NUL = "the text has a NUL character: remove it";

    private final InputStream in;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer decoded = CharBuffer.allocate(1024);

    private byte[] buffer = new byte[FIRST_BUFFER];
    private int limit;
    /** The first byte not yet consumed. */
    private int position;
    /** The first byte that must survive a refill. */
    private int kept;

    private int from;
    private int to;
    private boolean endsRecord = true;
    private boolean afterComma;
    private boolean quoted;
    private long physicalLine = 1;
    private long recordLine = 1;
    private boolean begun;
    private boolean lost;
    private @Nullable String damage;

    CsvScanner(InputStream in) {
        this.in = in;
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

    /** The line on which the field's record starts. The first is 1. */
    long recordLine() {
        return recordLine;
    }

    /**
     * The rule that the record or the whole file broke so far; null if there is none. After damage, fields may be
     * wrong.
     */
    @Nullable
    String damage() {
        return damage;
    }

    /** Whether the record just read is an empty line at the end of the file. */
    boolean isBlankLastLine() throws IOException {
        if (!endsRecord || quoted || from != to || damage != null) {
            return false;
        }
        kept = position;
        return position == limit && !fill();
    }

    /** Whether the rest of the file cannot be read. */
    boolean isLost() {
        return lost;
    }

    /** Ends reading, because the record has no end in reach. */
    void lose() {
        lost = true;
        afterComma = false;
        endsRecord = true;
    }

    String text() {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Moves to the next field.
     *
     * @return false at the end of the file, and if the rest is lost
     * @throws IOException if the file cannot be read
     */
    boolean next() throws IOException {
        if (!begun) {
            begin();
        }
        if (lost) {
            return false;
        }
        if (endsRecord) {
            recordLine = physicalLine;
            damage = null;
        }
        kept = position;
        if (position == limit && !fill()) {
            return emptyFieldAfterLastComma();
        }
        quoted = buffer[position] == '"';
        if (quoted) {
            readQuoted();
        } else {
            readUnquoted();
        }
        return true;
    }

    /** A file that ends in a comma has an empty field after the comma. */
    private boolean emptyFieldAfterLastComma() {
        if (!afterComma) {
            return false;
        }
        from = position;
        to = position;
        quoted = false;
        afterComma = false;
        endsRecord = true;
        return true;
    }

    private void readUnquoted() throws IOException {
        byte seen = 0;
        int at = position;
        while (true) {
            if (at == limit) {
                position = at;
                boolean atEnd = !fill();
                at = position;
                if (atEnd) {
                    break;
                }
            }
            byte next = buffer[at];
            // All bytes above the comma are plain text. Bytes of multi-byte characters are negative.
            if (next <= ',' && next >= 0) {
                if (next == ',' || next == '\n' || next == '\r') {
                    break;
                }
                if (next == '"') {
                    position = at;
                    skipLine("a quote stands inside an unquoted field: put the field in quotes, and double the quotes"
                            + " inside");
                    return;
                }
                if (next == 0) {
                    damage(NUL);
                }
            }
            seen |= next;
            at++;
        }
        from = kept;
        to = at;
        position = at;
        checkField(seen < 0);
        readSeparator();
    }

    private void readQuoted() throws IOException {
        byte seen = 0;
        boolean doubled = false;
        position++;
        while (true) {
            if (position == limit && !fill()) {
                damage("a quoted field is not closed: close it, or double the quotes inside a field");
                lose();
                return;
            }
            byte next = buffer[position++];
            if (next == '\n') {
                physicalLine++;
            } else if (next == '"') {
                if ((position < limit || fill()) && buffer[position] == '"') {
                    doubled = true;
                    position++;
                } else {
                    break;
                }
            } else if (next == 0) {
                damage(NUL);
            }
            seen |= next;
        }
        from = kept + 1;
        to = position - 1;
        if (doubled) {
            to = undouble(from, to);
        }
        checkField(seen < 0);
        readSeparator();
    }

    private int undouble(int start, int end) {
        int write = start;
        for (int read = start; read < end; read++) {
            buffer[write++] = buffer[read];
            if (buffer[read] == '"') {
                read++;
            }
        }
        return write;
    }

    /** Consumes the end of a field: a comma, a line end, or the end of the file. */
    private void readSeparator() throws IOException {
        int length = to - from;
        int offset = from - kept;
        afterComma = false;
        endsRecord = true;
        if (position < limit || fill()) {
            switch (buffer[position++]) {
                case ',' -> {
                    afterComma = true;
                    endsRecord = false;
                }
                case '\n' -> physicalLine++;
                case '\r' -> readLineFeed();
                default -> {
                    position--;
                    skipLine(TEXT_AFTER_QUOTE);
                    return;
                }
            }
        }
        // Looking for the separator may have moved the buffer's content.
        from = kept + offset;
        to = from + length;
    }

    private void readLineFeed() throws IOException {
        if (position < limit || fill()) {
            if (buffer[position] == '\n') {
                position++;
                physicalLine++;
                return;
            }
        }
        skipLine("a carriage return is not followed by a line feed: end lines with LF or CRLF");
    }

    private void damage(String rule) {
        if (damage == null) {
            damage = rule;
        }
    }

    /** Ends the record here. The next record begins on the next line. */
    private void skipLine(String rule) throws IOException {
        damage(rule);
        afterComma = false;
        endsRecord = true;
        for (int skipped = 0; skipped <= MAX_FIELD_BYTES; skipped++) {
            kept = position;
            if (position == limit && !fill()) {
                return;
            }
            if (buffer[position++] == '\n') {
                physicalLine++;
                return;
            }
        }
        lose();
    }

    private void checkField(boolean beyondAscii) {
        if (to - from > MAX_FIELD_BYTES) {
            damage(TOO_LONG);
        }
        if (beyondAscii && !isUtf8(ByteBuffer.wrap(buffer, from, to - from))) {
            damage("the text is not UTF-8: save the file as UTF-8");
        }
    }

    private boolean isUtf8(ByteBuffer field) {
        utf8.reset();
        CoderResult result;
        do {
            decoded.clear();
            result = utf8.decode(field, decoded, true);
        } while (result.isOverflow());
        return result.isUnderflow();
    }

    /**
     * Makes at least one more byte available at {@link #position}. Keeps the bytes from {@link #kept} on, but may move
     * them.
     *
     * @return false at the end of the file, and where the rest is lost
     */
    private boolean fill() throws IOException {
        if (lost) {
            return false;
        }
        if (kept > 0) {
            System.arraycopy(buffer, kept, buffer, 0, limit - kept);
            limit -= kept;
            position -= kept;
            kept = 0;
        }
        if (limit == buffer.length) {
            // Two bytes of quotes and two of a line end may surround a field.
            if (buffer.length > MAX_FIELD_BYTES + FIRST_BUFFER) {
                damage(TOO_LONG);
                lose();
                return false;
            }
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int read = 0;
        while (read == 0) {
            read = in.read(buffer, limit, buffer.length - limit);
        }
        if (read < 0) {
            return false;
        }
        limit += read;
        return true;
    }

    private void begin() throws IOException {
        begun = true;
        while (limit < OtherFormats.BYTES && fill()) {
            // A stream may hand out single bytes.
        }
        String rule = OtherFormats.insteadOfCsv(buffer, limit);
        if (!rule.isEmpty()) {
            damage(rule);
            lose();
        }
        if (limit >= 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
            position = 3;
        }
    }
}
