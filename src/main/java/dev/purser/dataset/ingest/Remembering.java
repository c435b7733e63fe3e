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
    /** Texts of so many bytes at most are known by the words at their ends. */
    private static final int TWO_WORDS = 2 * Long.BYTES;

    private static final byte[] NO_BYTES = {};
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** 2^64 divided by the golden ratio: its multiples differ in their high bits (Knuth, volume 3, section 6.4). */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private static final int PLACE_SHIFT = Long.SIZE - 16;

    private final FieldReader reader;
    private final @Nullable Memory[] places;
    private boolean clamped;

    /** @param places how many texts are remembered at most; a power of two */
    Remembering(FieldReader reader, int places) {
        this.reader = reader;
        this.places = new Memory[places];
    }

    /** What a text was read as. Its bytes are kept where its words do not say all of them. */
    private record Memory(int size, long first, long last, byte[] bytes, long value, boolean clamped) {
        boolean isOf(byte[] text, int from, int to, long firstWord, long lastWord) {
            return size == to - from
                    && first == firstWord
                    && last == lastWord
                    && (size <= TWO_WORDS || Arrays.equals(bytes, 0, size, text, from, to));
        }
    }

    @Override
    public long read(TextField field) {
        byte[] text = field.bytes();
        int from = field.from();
        int to = field.to();
        boolean isShort = to - from < Long.BYTES;
        long first = isShort ? shortWord(text, from, to) : word(text, from);
        long last = isShort ? 0 : word(text, to - Long.BYTES);
        int place = place(first + 5 * last + to - from, places.length);
        Memory memory = places[place];
        if (memory == null || !memory.isOf(text, from, to, first, last)) {
            long value = reader.read(field);
            clamped = reader.clamped();
            if (to - from <= MAX_BYTES) {
                byte[] bytes = to - from > TWO_WORDS ? Arrays.copyOfRange(text, from, to) : NO_BYTES;
                places[place] = new Memory(to - from, first, last, bytes, value, clamped);
            }
            return value;
        }
        clamped = memory.clamped;
        return memory.value;
    }

    /** Where among so many places, a power of two, something is remembered that is known by a word. */
    static int place(long word, int places) {
        return (int) (word * GOLDEN >>> PLACE_SHIFT) & (places - 1);
    }

    /** All bytes of a text of less than a word. */
    private static long shortWord(byte[] bytes, int from, int to) {
        if (from + Long.BYTES <= bytes.length) {
            return word(bytes, from) & (1L << (to - from) * Byte.SIZE) - 1;
        }
        long word = 0;
        for (int at = to - 1; at >= from; at--) {
            word = word << Byte.SIZE | bytes[at] & 0xFF;
        }
        return word;
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
