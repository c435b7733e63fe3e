package dev.purser.dataset.ingest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Hands what one thread reads on to a second one, which stays at most {@value #MAX_BLOCKS} blocks behind. Either may stop before
 * the end without the other noticing more than an end.
 */
final class CopiedFrames extends FilterInputStream {
    private static final int MAX_BLOCKS = 8;
    private static final long PATIENCE_MILLIS = 100;
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> blocks = new ArrayBlockingQueue<>(MAX_BLOCKS);
    private final Copy copy = new Copy();

    CopiedFrames(InputStream frames) {
        super(frames);
    }

    /** What is read here, for the other thread. */
    InputStream copy() {
        return copy;
    }

    @Override
    public int read() {
        throw new UnsupportedOperationException("frames are read in blocks");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int read = in.read(into, offset, length);
        if (read > 0) {
            pass(Arrays.copyOfRange(into, offset, offset + read));
        }
        return read;
    }

    /** Nothing more will be read. */
    @Override
    public void close() throws IOException {
        pass(END);
        super.close();
    }

    private void pass(byte[] block) throws IOException {
        try {
            boolean passed = false;
            while (!passed && !copy.closed) {
                passed = blocks.offer(block, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ParserFailure();
        }
    }

    private final class Copy extends InputStream {
        private byte[] block = {};
        private int position;
        private boolean ended;
        private volatile boolean closed;

        @Override
        public int read() {
            throw new UnsupportedOperationException("frames are read in blocks");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (position == block.length && !ended) {
                block = next();
                position = 0;
                ended = block.length == 0;
            }
            if (ended) {
                return -1;
            }
            int count = Math.min(length, block.length - position);
            System.arraycopy(block, position, into, offset, count);
            position += count;
            return count;
        }

        private byte[] next() throws ParserFailure {
            try {
                return blocks.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ParserFailure();
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
