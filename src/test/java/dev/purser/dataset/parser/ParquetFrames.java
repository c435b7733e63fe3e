package dev.purser.dataset.parser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What the parser hands over of Parquet files, without a process of its own. */
public final class ParquetFrames {
    private ParquetFrames() {}

    /** All frames of a file. */
    public static byte[] of(Path file) throws SQLException, IOException {
        return of(ParquetRows.ofFile(file));
    }

    /** Writes the frames of a file, batches into memory that is shared. */
    public static void write(Path file, OutputStream frames, BatchSlots slots, BooleanSupplier stillRead)
            throws SQLException, IOException {
        FieldWriter writer = new FieldWriter(frames, slots, stillRead);
        try (ParquetRows rows = ParquetRows.ofFile(file)) {
            rows.write(writer);
        }
        writer.end();
    }

    static byte[] of(ParquetRows rows) throws SQLException, IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        FieldWriter writer = new FieldWriter(frames);
        try (rows) {
            rows.write(writer);
        }
        writer.end();
        return frames.toByteArray();
    }

    /**
     * What frames say, in lines: the header, with the form of each column behind its name; then row after row, a double as its bits, an integer
     * with its decimals behind it, and all else in quotes.
     */
    static List<String> shown(byte[] frames) {
        ByteBuffer left = ByteBuffer.wrap(frames);
        List<String> lines = new ArrayList<>();
        List<Form> forms = header(left, lines);
        while (left.get() == FieldFrames.CONTROL && left.get() == FieldFrames.BATCH) {
            int rows = left.getInt();
            StringJoiner[] shown = new StringJoiner[rows];
            for (int row = 0; row < rows; row++) {
                shown[row] = new StringJoiner(" ");
            }
            left.order(FieldFrames.ORDER);
            for (Form form : forms) {
                column(left, form, shown);
            }
            left.order(ByteOrder.BIG_ENDIAN);
            for (StringJoiner row : shown) {
                lines.add(row.toString());
            }
        }
        if (left.get(frames.length - 1) != FieldFrames.END || left.hasRemaining()) {
            throw new IllegalStateException("no end");
        }
        return lines;
    }

    private record Form(int kind, int decimals, int bytes) {}

    private static List<Form> header(ByteBuffer left, List<String> lines) {
        List<Form> forms = new ArrayList<>();
        StringJoiner header = new StringJoiner(" ");
        boolean last = false;
        while (!last) {
            Form form = new Form('T', 0, FieldFrames.TEXT_BYTES);
            String shown = "";
            int head = left.get() & 0xFF;
            while (head == FieldFrames.CONTROL) {
                int kind = left.get();
                shown += (char) kind;
                if (kind == FieldFrames.UNSCALED) {
                    form = new Form(kind, left.get(), left.get());
                    shown += form.decimals + ":" + form.bytes + ":" + left.getLong();
                } else if (kind == FieldFrames.DOUBLES) {
                    form = new Form(kind, 0, Double.BYTES);
                }
                head = left.get() & 0xFF;
            }
            last = (head & FieldFrames.LAST_OF_RECORD) != 0;
            byte[] name = new byte[head & FieldFrames.CONTROL];
            left.get(name);
            header.add(new String(name, UTF_8) + "/" + shown);
            forms.add(form);
        }
        lines.add(header.toString());
        return forms;
    }

    private static void column(ByteBuffer left, Form form, StringJoiner[] shown) {
        long[] present = new long[Math.ceilDiv(shown.length, Long.SIZE)];
        Arrays.fill(present, -1);
        if (left.get() != 0) {
            for (int i = 0; i < present.length; i++) {
                present[i] = left.getLong();
            }
        }
        int longTexts = left.position() + shown.length * form.bytes;
        for (int row = 0; row < shown.length; row++) {
            boolean missing = (present[row / Long.SIZE] >>> row & 1) == 0;
            int next = left.position() + form.bytes;
            if (form.kind == 'T') {
                int length = missing ? 0 : left.getInt();
                boolean inlined = length <= FieldFrames.MAX_INLINED;
                byte[] text = new byte[length];
                left.get(inlined ? left.position() : longTexts, text);
                longTexts += inlined ? 0 : length;
                shown[row].add("'" + new String(text, UTF_8) + "'");
            } else {
                long word = switch (form.bytes) {
                    case 1 -> left.get();
                    case 2 -> left.getShort();
                    case 4 -> left.getInt();
                    default -> left.getLong();
                };
                shown[row].add(missing ? "''" : word + "e-" + form.decimals);
            }
            left.position(next);
        }
        left.position(form.kind == 'T' ? longTexts : left.position());
    }
}
