package dev.purser.dataset.parser;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes {@link FieldFrames}. */
final class FieldWriter {
    private static final int MAX_PREFIX = 16;

    private final OutputStream out;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private long line;
    private boolean startsRecord = true;

    FieldWriter(OutputStream out) {
        this.out = out;
    }

    /** The scanner's current field. */
    void field(CsvScanner scanner) throws IOException {
        if (startsRecord) {
            startRecord(scanner.recordLine());
        }
        field(scanner.bytes(), scanner.from(), scanner.to(), scanner.endsRecord());
    }

    /** The next field of a record on the line after the last record's. */
    void field(byte[] text, int length, boolean last) throws IOException {
        line += startsRecord ? 1 : 0;
        field(text, 0, length, last);
    }

    /** The names of a file's columns, as the record that a header is. */
    void header(List<HeaderColumn> columns) throws IOException {
        startRecord(1);
        for (int i = 0; i < columns.size(); i++) {
            if (!columns.get(i).typed()) {
                control(FieldFrames.UNTYPED);
            }
            byte[] name = columns.get(i).name().getBytes(StandardCharsets.UTF_8);
            field(name, 0, name.length, i == columns.size() - 1);
        }
    }

    void refused(MalformedUpload malformed) throws IOException {
        control(FieldFrames.REFUSED);
        buffer.put((byte) malformed.rule().ordinal()).putLong(malformed.line());
        flush();
    }

    void end() throws IOException {
        control(FieldFrames.END);
        flush();
    }

    private void startRecord(long at) throws IOException {
        if (at != line + 1) {
            control(FieldFrames.LINE);
            buffer.putLong(at);
        }
        line = at;
    }

    private void field(byte[] bytes, int from, int to, boolean last) throws IOException {
        makeRoom();
        int length = to - from;
        int flag = last ? FieldFrames.LAST_OF_RECORD : 0;
        if (length < FieldFrames.LONG_FIELD) {
            buffer.put((byte) (flag | length));
        } else {
            buffer.put((byte) (flag | FieldFrames.LONG_FIELD)).putInt(length);
        }
        if (length > buffer.remaining()) {
            flush();
        }
        if (length > buffer.remaining()) {
            out.write(bytes, from, length);
        } else {
            buffer.put(bytes, from, length);
        }
        startsRecord = last;
    }

    private void control(int kind) throws IOException {
        makeRoom();
        buffer.put((byte) FieldFrames.CONTROL).put((byte) kind);
    }

    private void makeRoom() throws IOException {
        if (buffer.remaining() < MAX_PREFIX) {
            flush();
        }
    }

    private void flush() throws IOException {
        out.write(buffer.array(), 0, buffer.position());
        out.flush();
        buffer.clear();
    }

    /**
     * A column as a file's own header describes it.
     *
     * @param typed whether values of its type can be read as text exactly
     */
    record HeaderColumn(String name, boolean typed) {}
}
