package dev.purser.dataset.ingest;

import dev.purser.digest.Sha256;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HMAC with SHA-256 (RFC 2104), as {@code javax.crypto.Mac} computes it, but without objects: those of some million rows would take as
 * much of the heap as there is before any of them is collected.
 */
final class KeyedHash {
    private static final int BLOCK_BYTES = 64;
    private static final int HASH_BYTES = 32;

    private final MessageDigest sha256 = Sha256.begin();
    private final byte[] inner;
    private final byte[] outer;
    private final ByteBuffer hash = ByteBuffer.allocate(HASH_BYTES);

    /** @param key of at most 64 bytes: one that is longer, RFC 2104 would hash first */
    KeyedHash(byte[] key) {
        if (key.length > BLOCK_BYTES) {
            throw new IllegalArgumentException("a key of more than a block");
        }
        inner = block(key, 0x36);
        outer = block(key, 0x5c);
    }

    private static byte[] block(byte[] key, int pad) {
        byte[] block = Arrays.copyOf(key, BLOCK_BYTES);
        for (int i = 0; i < BLOCK_BYTES; i++) {
            block[i] ^= (byte) pad;
        }
        return block;
    }

    /** Hashes the byte {@code first}, and after it the slice {@code [from, to)} of {@code bytes}. */
    void hash(int first, byte[] bytes, int from, int to) {
        sha256.update(inner);
        sha256.update((byte) first);
        sha256.update(bytes, from, to - from);
        digest();
        sha256.update(outer);
        sha256.update(hash.array());
        digest();
    }

    private void digest() {
        try {
            sha256.digest(hash.array(), 0, HASH_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("a hash of SHA-256 has 32 bytes", e);
        }
    }

    /** Eight bytes of the hash, from byte {@code 8 * position} on. */
    long word(int position) {
        return hash.getLong(position * Long.BYTES);
    }
}
