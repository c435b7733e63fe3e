package dev.purser.dataset.ingest;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what short texts were read as: categories, truth values and dates come again and again, and reading one takes a
 * decoded text and a look into a table, or a calendar. What is read is a function of the bytes alone, so nothing changes but the time.
 */
final class Remembering implements FieldReader {
    private static final int MAX_BYTES = 40;

    private final FieldReader reader;
    private final byte[] @Nullable [] texts;
    private final long[] values;
    private final boolean[] clampings;
    private boolean clamped;

    /** @param places how many texts are remembered at most; a power of two */
    Remembering(FieldReader reader, int places) {
        this.reader = reader;
        texts = new byte[places][];
        values = new long[places];
        clampings = new boolean[places];
    }

    @Override
    public long read(Fields field) {
        int place = place(field.bytes(), field.from(), field.to());
        byte[] text = texts[place];
        if (text == null || !Arrays.equals(text, 0, text.length, field.bytes(), field.from(), field.to())) {
            long value = reader.read(field);
            clamped = reader.clamped();
            remember(place, field, value);
            return value;
        }
        clamped = clampings[place];
        return values[place];
    }

    private void remember(int place, Fields field, long value) {
        if (field.to() - field.from() <= MAX_BYTES) {
            texts[place] = Arrays.copyOfRange(field.bytes(), field.from(), field.to());
            values[place] = value;
            clampings[place] = clamped;
        }
    }

    /** By the end of a text if it is long: that is where points in time differ. */
    private int place(byte[] bytes, int from, int to) {
        int hash = to - from;
        for (int at = Math.max(from, to - MAX_BYTES); at < to; at++) {
            hash = 31 * hash + bytes[at];
        }
        hash ^= hash >>> 16;
        return (hash ^ hash >>> 8) & (texts.length - 1);
    }

    @Override
    public boolean clamped() {
        return clamped;
    }

    @Override
    public String rule() {
        return reader.rule();
    }
}
