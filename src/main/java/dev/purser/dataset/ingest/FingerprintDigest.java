package dev.purser.dataset.ingest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the {@link Fingerprint} of a file's rows while they are read. It depends on the multiset of the rows, and of each
 * row on the multiset of its fields as decoded text: neither the order of the rows, nor the order or the names of the columns,
 * nor quotes and line ends change it. One field more or less, anywhere, does.
 *
 * <p>Each row becomes 256 bits, the rows are added up modulo 2^256, and the fingerprint is an HMAC of the sum and the number of
 * rows: the construction MSet-Add-Hash (Clarke, Devadas, van Dijk, Gassend, Suh: Incremental multiset hash functions, ASIACRYPT
 * 2003). A sum and not an exclusive or, in which two equal rows would cancel. The key keeps who reads the ledger from trying
 * rows out.
 *
 * <p>Nothing is allocated for a row or a field. Memory is bounded by the number of columns: a long field counts as its digest.
 */
final class FingerprintDigest {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int DIGEST = 32;
    /** With 128 bits of key a row of a few short fields is one block of SHA-256. */
    private static final int PREFIX = 16;

    /** The most bytes of a field that stand for themselves. */
    private static final int MAX_PLAIN = 127;
    /** In the place of the length of a field that is longer. */
    private static final byte DIGESTED = -1;
    /** The most bytes that a field is encoded as, and so many that a word can be read or written at its start. */
    private static final int MAX_ENCODED = 1 + MAX_PLAIN + Long.BYTES;

    private final byte[] key;
    private final byte[] fieldKey;
    private final MessageDigest sha256;
    private final byte[] digest = new byte[DIGEST];
    private final long[] sum = new long[DIGEST / Long.BYTES];
    private long rows;

    /** The fields of the row, encoded one after the other: a byte of length, then the bytes. */
    private byte[] fields = new byte[16 * MAX_ENCODED];
    /** Where each field starts in {@link #fields}. */
    private int[] starts = new int[16];
    /**
     * The first eight bytes of each encoded field. After the end of a short one they are whatever was there, which changes
     * neither the order of different fields nor what is digested: the next field is written over it.
     */
    private long[] heads = new long[16];
    /** The fields in the order of their encodings; that of the row before, to begin with, which often is almost right. */
    private int[] order = new int[0];
    /** The row as it is digested: a key, then the fields in order. */
    private byte[] message;

    private int length;
    private int count;

    /** @param secret any number of random bytes, the same for all fingerprints that are to be compared */
    FingerprintDigest(byte[] secret) {
        key = hmac(secret, "purser dataset fingerprint");
        fieldKey = Arrays.copyOf(hmac(key, "field"), PREFIX);
        byte[] rowKey = Arrays.copyOf(hmac(key, "row"), PREFIX);
        message = Arrays.copyOf(rowKey, PREFIX + fields.length);
        sha256 = sha256();
    }

    /** Takes the row's next field, {@code bytes[from..to)}. */
    void field(byte[] bytes, int from, int to) {
        makeRoom();
        int size = to - from;
        int start = length;
        if (size <= MAX_PLAIN) {
            fields[start] = (byte) size;
            System.arraycopy(bytes, from, fields, start + 1, size);
        } else {
            fields[start] = DIGESTED;
            sha256.update(fieldKey);
            sha256.update(bytes, from, size);
            digestInto(fields, start + 1);
        }
        heads[count] = (long) LONGS.get(fields, start);
        starts[count] = start;
        count++;
        length += encodedSize(start);
    }

    /** Adds the fields taken since the last row. */
    void endRow() {
        sort();
        int at = PREFIX;
        for (int field : order) {
            int size = encodedSize(starts[field]);
            if (size <= Long.BYTES) {
                LONGS.set(message, at, heads[field]);
            } else {
                System.arraycopy(fields, starts[field], message, at, size);
            }
            at += size;
        }
        sha256.update(message, 0, at);
        digestInto(digest, 0);
        addDigest();
        rows++;
        length = 0;
        count = 0;
    }

    /** Of all rows so far; none if there are no rows, which nobody could recognize. */
    Optional<Fingerprint> fingerprint() {
        if (rows == 0) {
            return Optional.empty();
        }
        ByteBuffer total = ByteBuffer.allocate(DIGEST + Long.BYTES);
        for (long word : sum) {
            total.putLong(word);
        }
        total.putLong(rows);
        return Optional.of(new Fingerprint(HexFormat.of().formatHex(hmac(key, total.array()))));
    }

    private int encodedSize(int start) {
        byte size = fields[start];
        return 1 + (size == DIGESTED ? DIGEST : size);
    }

    private void makeRoom() {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            heads = Arrays.copyOf(heads, 2 * count);
        }
        if (fields.length - length < MAX_ENCODED) {
            fields = Arrays.copyOf(fields, 2 * fields.length);
            message = Arrays.copyOf(message, PREFIX + fields.length);
        }
    }

    /** Shell's sort: it needs no memory, and stays quick for the widest rows. Any total order of the encodings would do. */
    private void sort() {
        if (order.length != count) {
            order = IntStream.range(0, count).toArray();
        }
        for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : (int) (gap / 2.2)) {
            for (int i = gap; i < count; i++) {
                int field = order[i];
                int to = i;
                while (to >= gap && isAfter(order[to - gap], field)) {
                    order[to] = order[to - gap];
                    to -= gap;
                }
                order[to] = field;
            }
        }
    }

    private boolean isAfter(int field, int other) {
        if (heads[field] != heads[other]) {
            return heads[field] > heads[other];
        }
        int start = starts[field];
        int size = encodedSize(start);
        // Equal heads hold equal lengths, and all of a short field; equal fields may stand in any order.
        return size > Long.BYTES
                && Arrays.compare(fields, start, start + size, fields, starts[other], starts[other] + size) > 0;
    }

    /** The sum is one number of 256 bits, its most significant word first. */
    private void addDigest() {
        long carry = 0;
        for (int i = sum.length - 1; i >= 0; i--) {
            long term = (long) LONGS.get(digest, i * Long.BYTES);
            long partial = sum[i] + term;
            long total = partial + carry;
            carry = Long.compareUnsigned(partial, term) < 0 || Long.compareUnsigned(total, partial) < 0 ? 1 : 0;
            sum[i] = total;
        }
    }

    private void digestInto(byte[] target, int offset) {
        try {
            sha256.digest(target, offset, DIGEST);
        } catch (DigestException e) {
            throw new IllegalStateException("a SHA-256 digest has 32 bytes", e);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] hmac(byte[] key, String label) {
        return hmac(key, label.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
    }
}
