package dev.purser.rows;

import java.io.IOException;
import java.nio.file.Path;

import static dev.purser.rows.RecordSort.WORDS;

/** Records on the disk, one after another, written and read block by block. Deleted when closed. */
final class RecordFile implements AutoCloseable {
    private final ChunkFile blocks;
    private final long[] block;
    private int filled;
    private long records;

    RecordFile(Path file, int recordsOfBlock) throws RowsNotWritten {
        block = new long[recordsOfBlock * WORDS];
        try {
            blocks = new ChunkFile(file, block.length, new int[] {Long.BYTES});
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    /** Appends the record whose words are in {@code words} from {@code at} on. */
    void add(long[] words, int at) throws RowsNotWritten {
        for (int i = 0; i < WORDS; i++) {
            block[filled + i] = words[at + i];
        }
        filled += WORDS;
        records++;
        if (filled == block.length) {
            writeBlock();
        }
    }

    private void writeBlock() throws RowsNotWritten {
        try {
            blocks.write((records - 1) / recordsOfBlock(), 0, block, filled);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
        filled = 0;
    }

    /** Writes what is left of the last block: all can be read then, and nothing more be added. */
    void finish() throws RowsNotWritten {
        if (filled > 0) {
            writeBlock();
        }
    }

    /** Reads so many records, at most those of a block, from one of them on. */
    void read(long first, long[] into, int count) throws RowsNotWritten {
        try {
            blocks.read(0, first * WORDS, into, count * WORDS);
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }

    long records() {
        return records;
    }

    int recordsOfBlock() {
        return block.length / WORDS;
    }

    @Override
    public void close() throws RowsNotWritten {
        try {
            blocks.close();
        } catch (IOException e) {
            throw new RowsNotWritten(e);
        }
    }
}
