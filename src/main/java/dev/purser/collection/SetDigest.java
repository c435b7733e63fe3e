package dev.purser.collection;

import dev.purser.digest.Sha256;
import dev.purser.journal.CanonicalBytes;
import dev.purser.store.MacKey;
import dev.purser.store.StoreConnection;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A digest of a set of reports: MSet-XOR-Hash of Clarke and others, ASIACRYPT 2003. Each report updates the digest
 * without reading other reports. The digest is the exclusive or of {@code F(element)} over all elements, where F is a
 * pseudorandom function under a key of the home. Its value is recorded in the journal. If another set with as many
 * elements, each once, had an equal digest, the values of F of some elements would cancel out, and without the key
 * nobody knows a value of F.
 *
 * <p>The database stores {@code nonce, value XOR F(nonce)} with a new nonce each time. Without the nonce, a reader of
 * two versions would know the sum of F over the elements that were added between them. With more than 256 such sums,
 * the reader could choose elements that cancel out.
 *
 * <p>F is SHA-256 of 32 bytes of key and 20 bytes of input. All inputs have the same length and fit into one block with
 * the padding, so no input can be extended. F is one call of the compression function, with the key in the first half
 * of its block. HMAC with SHA-256 also assumes that this is pseudorandom. Not thread-safe.
 */
final class SetDigest {
    private static final int NONCE = 16;
    private static final int VALUE = 32;
    private static final int OF_NONCE = -1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final MessageDigest sha = Sha256.begin();
    private final byte[] key;
    private final ByteBuffer input = ByteBuffer.allocate(NONCE + Integer.BYTES);
    private final byte[] output = new byte[VALUE];
    private final byte[] value = new byte[VALUE];

    /**
     * The digest of the empty set.
     *
     * @param set what the elements are
     * @param collection the collection that they belong to; each collection has its own key
     */
    SetDigest(MacKey home, String set, String collection) {
        key = home.code(new CanonicalBytes()
                .text("purser-set-1")
                .text(set)
                .text(collection)
                .bytes());
    }

    /**
     * Changes the digest to the stored one. If no digest of the right form is stored, the result is the digest of no
     * known set.
     */
    SetDigest with(byte @Nullable [] stored) {
        byte[] bytes = Arrays.copyOf(stored == null ? value : stored, NONCE + VALUE);
        System.arraycopy(bytes, NONCE, value, 0, VALUE);
        change(Arrays.copyOf(bytes, NONCE), OF_NONCE);
        return this;
    }

    /**
     * Adds an element that was not in the set, or removes an element that was in the set.
     *
     * @param id 16 bytes
     * @param state the element's state, at least 0; above 0 if the element is a report
     */
    void change(byte[] id, int state) {
        input.clear().put(id).putInt(state);
        sha.update(key);
        sha.update(input.array());
        try {
            sha.digest(output, 0, VALUE);
        } catch (DigestException impossible) {
            throw new IllegalStateException("SHA-256 has 32 bytes", impossible);
        }
        for (int i = 0; i < VALUE; i++) {
            value[i] ^= output[i];
        }
    }

    /**
     * Adds all stored elements to the empty set.
     *
     * @param sql selects the id and the state of each element, in the order of the ids; its parameter is {@code number}
     * @param reports how many elements should have a state above 0
     * @return the digest; null if another number of elements has such a state, or an element occurs twice
     */
    byte @Nullable [] addAll(StoreConnection connection, String sql, long number, long reports) throws SQLException {
        byte[][] last = {new byte[0]};
        boolean[] sound = {true};
        long[] counted = {0};
        connection.each(
                sql,
                row -> {
                    byte[] id = row.getBytes(1);
                    long state = row.getLong(2);
                    if (id.length != NONCE || state != (int) state || Arrays.equals(id, last[0])) {
                        sound[0] = false;
                    } else {
                        change(id, (int) state);
                    }
                    counted[0] += state > 0 ? 1 : 0;
                    last[0] = id;
                },
                number);
        return sound[0] && counted[0] == reports ? value() : null;
    }

    /** The digest, which the database must not show. */
    byte[] value() {
        return value.clone();
    }

    /** What the database keeps of the digest. */
    byte[] stored() {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        change(nonce, OF_NONCE);
        byte[] bytes = ByteBuffer.allocate(NONCE + VALUE).put(nonce).put(value).array();
        change(nonce, OF_NONCE);
        return bytes;
    }
}
