package dev.purser.dataset.ingest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what short texts were read as: categories, truth values and dates come again and again, and reading one takes a
 * decoded text and a look into a table, or a calendar. What is read is a function of the bytes alone, so nothing changes but the time.
 */
final class Remembering implements FieldReader {
    private static final int MAX_BYTES = 40;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** 2^64 divided by the golden ratio: its multiples differ in their high bits (Knuth, volume 3, section 6.4). */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private static final int PLACE_SHIFT = Long.SIZE - 16;

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

    /** By its first and last bytes and some in the middle: a text of another place is another text, and that is all it has to do. */
    private int place(byte[] bytes, int from, int to) {
        int size = to - from;
        long mixed;
        if (size >= Long.BYTES) {
            mixed = word(bytes, from)
                    + 3 * word(bytes, from + (size - Long.BYTES) / 2)
                    + 5 * word(bytes, to - Long.BYTES);
        } else {
            mixed = from + Long.BYTES <= bytes.length ? word(bytes, from) & (1L << size * Byte.SIZE) - 1 : 0;
        }
        return (int) ((mixed + size) * GOLDEN >>> PLACE_SHIFT) & (texts.length - 1);
    }

    private static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
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
