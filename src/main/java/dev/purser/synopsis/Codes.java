package dev.purser.synopsis;

import java.nio.ByteBuffer;

/** The cells of one column of many rows, in as few bytes as the number of cells needs. */
final class Codes {
    private final int width;
    private final ByteBuffer bytes;

    Codes(int cells, int rows) {
        width = width(cells);
        bytes = ByteBuffer.allocate(rows * width);
    }

    /** How many bytes a row takes. */
    static int width(int cells) {
        return cells <= 1 << Byte.SIZE ? 1 : cells <= 1 << Short.SIZE ? 2 : 4;
    }

    int get(int row) {
        return switch (width) {
            case 1 -> Byte.toUnsignedInt(bytes.get(row));
            case 2 -> Short.toUnsignedInt(bytes.getShort(2 * row));
            default -> bytes.getInt(4 * row);
        };
    }

    void set(int row, int cell) {
        switch (width) {
            case 1 -> bytes.put(row, (byte) cell);
            case 2 -> bytes.putShort(2 * row, (short) cell);
            default -> bytes.putInt(4 * row, cell);
        }
    }

    /** Puts the rows {@code from <= row < to} into an order that the sequence chooses. */
    void shuffle(int from, int to, PublicSequence sequence) {
        for (int row = to - 1; row > from; row--) {
            int other = from + (int) sequence.below(row - from + 1);
            int cell = get(row);
            set(row, get(other));
            set(other, cell);
        }
    }
}
