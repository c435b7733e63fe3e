package dev.purser.dataset.ingest;

import dev.purser.digest.Sha256;
import dev.purser.task.Task;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.MessageDigest;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The SHA-256 digest of what arrives, computed on a thread of its own while more arrives: digesting takes as long as all else that is
 * done with a file that is only put on the disk. Memory is two chunks. For one thread.
 */
final class DigestBeside implements AutoCloseable {
    private static final int CHUNKS = 2;

    /** Room for all chunks and for what is no chunk. */
    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS + 1);

    private final BlockingQueue<Chunk> empty = new ArrayBlockingQueue<>(CHUNKS + 1);
    /** Behind the last of the full ones. */
    private final Chunk end = new Chunk(new byte[0]);
    /** Instead of an empty one, when there will be none any more. */
    private final Chunk failed = new Chunk(new byte[0]);

    private final Task<byte[]> digest;
    private Chunk filling;
    private boolean ended;

    /** @param capacity of a chunk, in bytes */
    DigestBeside(String name, int capacity) {
        filling = new Chunk(new byte[capacity]);
        empty.add(new Chunk(new byte[capacity]));
        digest = Task.start(name, this::digestAll);
    }

    /** Where the next bytes are to be put, until they are taken. */
    byte[] chunk() {
        return filling.bytes;
    }

    /**
     * Takes the first so many bytes of the chunk. Afterwards there is another to be filled.
     *
     * @throws RuntimeException or an Error, with which the digest's thread ended
     */
    void take(int length) throws IOException {
        filling.length = length;
        full.add(filling);
        filling = next(empty);
        if (filling == failed) {
            digest.join();
        }
    }

    /** Of all bytes that were taken. No more can be. */
    byte[] digest() throws IOException {
        close();
        return digest.join();
    }

    private byte[] digestAll() throws IOException {
        boolean complete = false;
        try {
            MessageDigest sha256 = Sha256.begin();
            for (Chunk chunk = next(full); chunk != end; chunk = next(full)) {
                sha256.update(chunk.bytes, 0, chunk.length);
                empty.add(chunk);
            }
            byte[] digested = sha256.digest();
            complete = true;
            return digested;
        } finally {
            if (!complete) {
                empty.add(failed);
            }
        }
    }

    private static Chunk next(BlockingQueue<Chunk> chunks) throws IOException {
        try {
            return chunks.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a digest is computed");
        }
    }

    /** Ends the thread, whatever was taken. */
    @Override
    public void close() {
        if (!ended) {
            ended = true;
            full.add(end);
        }
    }

    private static final class Chunk {
        private final byte[] bytes;
        private int length;

        private Chunk(byte[] bytes) {
            this.bytes = bytes;
        }
    }
}
