package dev.purser.upload;

import dev.purser.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a CSV file field by field: RFC 4180 with LF or CRLF, in UTF-8 with or without a byte order mark. It refuses
 * everything else, because a truncated or shifted file that loads quietly answers questions wrongly for ever: an open
 * quote at the end, text after a closing quote, a quote inside an unquoted field, a carriage return alone, bytes that
 * are not UTF-8, a NUL.
 *
 * <p>Written here because the readers at hand are lenient where it matters: FastCSV takes an open quote at the end of a
 * file, so half an upload, for a complete one. The decision and its limits: docs/adr/0010.
 *
 * <p>A field is a slice of one reused buffer, valid until the next call. Memory is bounded by the longest permitted
 * field, whatever the input. Separators are ASCII, so they can be found in the bytes before anything is decoded.
 */
final class CsvScanner {
    /** The longest field taken, in bytes. */
    static final int MAX_FIELD_BYTES = 1 << 20;

    private static final int FIRST_BUFFER = 1 << 16;

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
    private long physicalLine = 1;
    private long recordLine = 1;

    CsvScanner(InputStream in) throws IOException {
        this.in = in;
        skipByteOrderMark();
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

    String text() {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    /**
     * Moves to the next field.
     *
     * @return false at the end of the file
     * @throws ProblemException {@code invalid-data} if the file is malformed
     */
    boolean next() throws IOException {
        if (endsRecord) {
            recordLine = physicalLine;
        }
        kept = position;
        if (position == limit && !fill()) {
            return emptyFieldAfterLastComma();
        }
        if (buffer[position] == '"') {
            readQuoted();
        } else {
            readUnquoted();
        }
        return true;
    }

    /** A file that ends in a comma has one more, empty, field. */
    private boolean emptyFieldAfterLastComma() {
        if (!afterComma) {
            return false;
        }
        from = position;
        to = position;
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
            // Everything above the comma is plain text; bytes of multi-byte characters are negative.
            if (next <= ',' && next >= 0) {
                if (next == ',' || next == '\n' || next == '\r') {
                    break;
                }
                if (next == '"') {
                    throw refused("a quote stands inside an unquoted field");
                }
                if (next == 0) {
                    throw refused("the text has a NUL character");
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
                throw refused("a quoted field is not closed");
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
                throw refused("the text has a NUL character");
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

    /** Consumes what ends a field: a comma, a line end, or the end of the file. */
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
                default -> throw refused("text follows a closing quote, where only a comma or a line end may");
            }
        }
        // Looking for the separator may have moved the buffer's content.
        from = kept + offset;
        to = from + length;
    }

    private void readLineFeed() throws IOException {
        if ((position == limit && !fill()) || buffer[position] != '\n') {
            throw refused("a carriage return is not followed by a line feed");
        }
        position++;
        physicalLine++;
    }

    private void checkField(boolean beyondAscii) {
        if (to - from > MAX_FIELD_BYTES) {
            throw tooLong();
        }
        if (beyondAscii && !isUtf8(ByteBuffer.wrap(buffer, from, to - from))) {
            throw refused("the text is not UTF-8");
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
     * Makes at least one more byte available at {@link #position}, keeping those from {@link #kept} on. May move them.
     *
     * @return false at the end of the file
     */
    private boolean fill() throws IOException {
        if (kept > 0) {
            System.arraycopy(buffer, kept, buffer, 0, limit - kept);
            limit -= kept;
            position -= kept;
            kept = 0;
        }
        if (limit == buffer.length) {
            // Two bytes of quotes and two of a line end may surround a field.
            if (buffer.length > MAX_FIELD_BYTES + FIRST_BUFFER) {
                throw tooLong();
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

    private void skipByteOrderMark() throws IOException {
        while (limit < 3 && fill()) {
            // A stream may hand out single bytes.
        }
        if (limit >= 3 && buffer[0] == (byte) 0xEF && buffer[1] == (byte) 0xBB && buffer[2] == (byte) 0xBF) {
            position = 3;
        }
    }

    private ProblemException tooLong() {
        return refused("a field is longer than " + MAX_FIELD_BYTES + " bytes");
    }

    private ProblemException refused(String rule) {
        return InvalidData.at(recordLine, rule);
    }
}
