package dev.purser.dataset.ingest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** What a parser answers, as long as that is in proportion to what it was given: a file of a few bytes can unpack to any number. */
final class BoundedFrames extends FilterInputStream {
    private final AtomicLong given;
    private final int expansion;
    private final long allowance;
    private long bytes;

    /**
     * @param given the bytes that the parser was given; grows while an upload arrives
     * @param expansion the bytes of its answer for each of them
     * @param allowance further bytes, whatever it was given
     */
    BoundedFrames(InputStream frames, AtomicLong given, int expansion, long allowance) {
        super(frames);
        this.given = given;
        this.expansion = expansion;
        this.allowance = allowance;
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
        if (bytes > given.get() * expansion + allowance) {
            throw new ParserFailure();
        }
    }
}
