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

    private final BlockingQueue<Chunk> full = new ArrayBlockingQueue<>(CHUNKS);
    private final BlockingQueue<Chunk> empty = new ArrayBlockingQueue<>(CHUNKS);
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

    /** Takes the first so many bytes of the chunk, at least one. Afterwards there is another to be filled. */
    void take(int length) throws IOException {
        filling.length = length;
        full.add(filling);
        filling = next(empty);
    }

    /** Of all bytes that were taken. No more can be. */
    byte[] digest() throws IOException {
        close();
        return digest.join();
    }

    private byte[] digestAll() throws IOException {
        MessageDigest sha256 = Sha256.begin();
        for (Chunk chunk = next(full); chunk.length > 0; chunk = next(full)) {
            sha256.update(chunk.bytes, 0, chunk.length);
            empty.add(chunk);
        }
        return sha256.digest();
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
            filling.length = 0;
            full.add(filling);
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
