package dev.purser.dataset.ingest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongSupplier;

/** What a parser answers, as long as that is in proportion to what it was given: a file of a few bytes can unpack to any number. */
final class BoundedFrames extends FilterInputStream {
    private final LongSupplier mostBytes;
    private long bytes;

    /** @param mostBytes at this moment; grows while the upload arrives */
    BoundedFrames(InputStream frames, LongSupplier mostBytes) {
        super(frames);
        this.mostBytes = mostBytes;
    }

    @Override
    public int read() {
        throw new UnsupportedOperationException("frames are read in blocks");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        count(Math.max(read, 0));
        return read;
    }

    /**
     * Counts what came another way.
     *
     * @throws ParserFailure if that is too much, all together
     */
    void count(int more) throws ParserFailure {
        bytes += more;
        if (bytes > mostBytes.getAsLong()) {
            throw new ParserFailure();
        }
    }
}
