package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** The values of a {@link RowsFile} that is being written: a new file, in which they lie as {@link ValuesLayout} says. */
final class ValuesFile implements AutoCloseable {
    private final ValuesLayout layout;
    private final CRC32C[] checksums;
    private final MemorySegment lane;
    private final ByteBuffer laneBytes;
    private final FileChannel channel;

    /** @param arena for 1 MB at most, as long as this is used */
    ValuesFile(Path file, ValuesLayout layout, int columns, Arena arena) throws IOException {
        this.layout = layout;
        checksums = IntStream.range(0, columns).mapToObj(i -> new CRC32C()).toArray(CRC32C[]::new);
        lane = arena.allocate((long) layout.rowsOfChunk() * Long.BYTES, Long.BYTES);
        laneBytes = lane.asByteBuffer();
        channel = NewFile.create(file);
    }

    /** Takes the offsets of the rows from {@code from} to before {@code to} of a chunk, for the lane of a column. */
    void encode(int column, long[] offsets, int from, int to) {
        int width = layout.width(column);
        Offsets.encode(offsets, from, to - from, width, lane, (long) from * width);
    }

    /**
     * Writes the lane of a column in one chunk; those of a column come in the order of the chunks.
     *
     * @return where the lane ends
     */
    long write(int column, int rows, long at) throws IOException {
        int bytes = (int) layout.laneBytes(column, rows);
        int used = rows * layout.width(column);
        lane.asSlice(used, bytes - used).fill((byte) 0);
        laneBytes.limit(bytes);
        checksums[column].update(laneBytes.rewind());
        ChunkFile.writeFully(channel, laneBytes.rewind(), at);
        return at + bytes;
    }

    /** Reads values of consecutive rows back. */
    void read(Lanes lanes, long from, long[] into, int count) throws IOException {
        for (int done = 0; done < count; ) {
            int here = Math.min(count - done, lanes.together(from + done));
            laneBytes.clear().limit(here * lanes.width());
            ChunkFile.readFully(channel, laneBytes, lanes.at(from + done));
            Offsets.decode(lane, 0, lanes.width(), into, done, here);
            done += here;
        }
    }

    /** Of all lanes of a column so far. */
    int checksum(int column) {
        return (int) checksums[column].getValue();
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
