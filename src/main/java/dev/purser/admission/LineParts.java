package dev.purser.admission;

import java.io.IOException;
import java.io.InputStream;

/**
 * A stream of lines in parts of whole lines. A part is read to its end, as if it were a stream. Then the next part
 * begins.
 */
final class LineParts extends InputStream {
    private final InputStream in;
    private final int maxLines;
    private final int enoughBytes;
    private final byte[] buffer = new byte[1 << 13];
    private int start;
    private int end;
    private int lines;
    private int bytes;

    /**
     * @param maxLines the most lines of a part
     * @param enoughBytes a part ends with the line in which it reaches this many bytes
     */
    LineParts(InputStream in, int maxLines, int enoughBytes) {
        this.in = in;
        this.maxLines = maxLines;
        this.enoughBytes = enoughBytes;
    }

    /** Begins the next part; false if the stream has ended. */
    boolean next() throws IOException {
        lines = 0;
        bytes = 0;
        return fill();
    }

    /** How many lines of the part have ended so far. */
    int lines() {
        return lines;
    }

    private boolean fill() throws IOException {
        if (start == end) {
            start = 0;
            end = Math.max(0, in.read(buffer));
        }
        return start < end;
    }

    private boolean isWhole() {
        return lines == maxLines || bytes >= enoughBytes && buffer[start - 1] == '\n';
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (bytes > 0 && isWhole() || !fill()) {
            return -1;
        }
        int from = start;
        int most = Math.min(end, start + length);
        while (start < most && (start == from || !isWhole())) {
            bytes++;
            if (buffer[start++] == '\n') {
                lines++;
            }
        }
        System.arraycopy(buffer, from, target, offset, start - from);
        return start - from;
    }
}
