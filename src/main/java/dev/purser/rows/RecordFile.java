package dev.purser.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Records on the disk, one behind the other, written and read block by block. Closing deletes the file. */
final class RecordFile implements AutoCloseable {
    private final Path file;
    private final int words;
    private final FileChannel channel;
    private final ByteBuffer bytes;
    private final long[] block;
    private int filled;
    private long wordsWritten;

    RecordFile(Path file, int words, int recordsOfBlock) throws IOException {
        this.file = file;
        this.words = words;
        block = new long[recordsOfBlock * words];
        bytes = ByteBuffer.allocate(block.length * Long.BYTES).order(OwnFile.ORDER);
        channel = OwnFile.create(file);
    }

    /** Appends the record that begins at {@code record[at]}. */
    void add(long[] record, int at) throws IOException {
        for (int i = 0; i < words; i++) {
            block[filled + i] = record[at + i];
        }
        filled += words;
        if (filled == block.length) {
            finish();
        }
    }

    /** Writes the last block, which may not be full. Afterwards all records can be read. */
    void finish() throws IOException {
        bytes.clear().asLongBuffer().put(block, 0, filled);
        OwnFile.write(channel, bytes.limit(filled * Long.BYTES), wordsWritten * Long.BYTES);
        wordsWritten += filled;
        filled = 0;
    }

    /** Reads {@code count} records, at most a block, from the record {@code first} on. */
    void read(long first, long[] into, int count) throws IOException {
        OwnFile.read(channel, bytes.clear().limit(count * words * Long.BYTES), first * words * Long.BYTES);
        bytes.asLongBuffer().get(into, 0, count * words);
    }

    /** How many records there are. */
    long records() {
        return (wordsWritten + filled) / words;
    }

    int words() {
        return words;
    }

    int recordsOfBlock() {
        return block.length / words;
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            Files.deleteIfExists(file);
        }
    }
}
