package dev.purser.dataset.ingest;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the {@link Fingerprint} of a file's rows while they are read. It depends on the multiset of the rows, and of each
 * row on the multiset of its fields as decoded text, or as numbers where they are: neither the order of the rows, nor the order or the
 * names of the columns, nor quotes and line ends change it, nor how a number is written. One field more or less, anywhere, does.
 *
 * <p>Twice the construction MSet-Add-Hash (Clarke, Devadas, van Dijk, Gassend, Suh: Incremental multiset hash functions, ASIACRYPT
 * 2003), with AES-256 as the keyed function, under a key for each use:
 *
 * <pre>
 * number       its double and a prefix in one block, encrypted: of a decimal that is the shortest which is read as that double, as all of at
 *              most 15 digits are, but for some near the least double
 * other field  CBC-MAC of its length in one byte, its bytes and zeros up to a whole block; in the place of a field of more than 127
 *              bytes stand 255 and its HMAC. No such text is the beginning of another, which CBC-MAC requires
 * row          the sum of its fields modulo 2^128, encrypted
 * fingerprint  HMAC of the sum of the rows modulo 2^128 and of their number
 * </pre>
 *
 * Sums and not exclusive ors, in which two equal rows would cancel. Two given files of different rows, chosen without the key, have the
 * same fingerprint with a chance of about 2^-128: what one more block of a permutation becomes is nearly uniform given the others. It is
 * larger by the largest power of two in how often a row or a field of a row comes more in the one than in the other, so at most 2^-91
 * for 2^37 rows. Who does not have the key cannot look for such files, because no fingerprint is shown:
 * an upload learns no more than whether its rows are known. The key also keeps who reads
 * the ledger from trying rows out.
 *
 * <p>The fields of some rows are encrypted together, which takes nanoseconds for each. Nothing is allocated for a row or a field, but for a
 * long one. Memory is bounded by the number of columns.
 */
final class FingerprintDigest {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int BLOCK = 16;
    private static final int LAST_BYTE = Long.SIZE - Byte.SIZE;

    /** The most bytes of a field that stand for themselves. */
    private static final int MAX_PLAIN = 127;
    /** In the place of the length of a field that is longer. */
    private static final byte DIGESTED = -1;
    /** In the place of the length of a field that is a number, and zeros behind it. */
    private static final long NUMBER = 0xFEL << LAST_BYTE;

    private static final int FIRST_LONGER = 1 << 8;

    private final byte[] key;
    private final Cipher fieldCipher;
    private final Cipher rowCipher;
    private final Mac longFields;
    private int fieldsOfRow;
    private int rowsTogether;
    /** By {@link #place}: the first block of a field; later what its blocks so far became. */
    private byte[] states = {};

    private byte[] encrypted = {};
    private byte[] chained = {};

    /** Of the fields with more than one block: which they are, how many more there are, and where in {@link #rest}. */
    private int[] longer = new int[FIRST_LONGER];

    private int[] restBlocks = new int[FIRST_LONGER];
    private int[] restStarts = new int[FIRST_LONGER];
    private byte[] rest = new byte[BLOCK * FIRST_LONGER];
    private int restLength;
    private int longerFields;

    private long sumHigh;
    private long sumLow;
    private long rows;

    /** @param secret any number of random bytes, the same for all fingerprints that are to be compared */
    FingerprintDigest(byte[] secret) {
        key = hmac(secret).doFinal(ascii("purser dataset fingerprint"));
        fieldCipher = aes(hmac(key).doFinal(ascii("field")));
        rowCipher = aes(hmac(key).doFinal(ascii("row")));
        longFields = hmac(hmac(key).doFinal(ascii("long field")));
    }

    /**
     * Gets ready for rows of so many fields, at most so many rows at a time.
     *
     * @throws IllegalArgumentException if there are no fields
     */
    void begin(int fieldsOfRow, int rowsTogether) {
        if (fieldsOfRow < 1) {
            throw new IllegalArgumentException("a row without fields");
        }
        this.fieldsOfRow = fieldsOfRow;
        this.rowsTogether = rowsTogether;
        int bytes = BLOCK * fieldsOfRow * rowsTogether;
        if (states.length < bytes) {
            states = new byte[bytes];
            encrypted = new byte[bytes];
        }
    }

    /** Takes a field of one of the next rows. */
    void field(int row, int field, TextField text) {
        double number = text.exactDouble();
        if (Double.isNaN(number)) {
            text(row, field, text.bytes(), text.from(), text.to());
        } else {
            number(row, field, number);
        }
    }

    /** Takes a field of one of the next rows that is the shortest decimal which is read as {@code number}, no infinite one. */
    void number(int row, int field, double number) {
        // Plus zero: there is one zero.
        block(row, field, NUMBER, Double.doubleToRawLongBits(number + 0.0));
    }

    /** Takes a field of one of the next rows that has the same block as an earlier one. */
    void block(int row, int field, long first, long second) {
        int at = place(row, field) * BLOCK;
        LONGS.set(states, at, first);
        LONGS.set(states, at + Long.BYTES, second);
    }

    /** The first word of the first block of a field of one of the next rows. */
    long blockFirst(int row, int field) {
        return (long) LONGS.get(states, place(row, field) * BLOCK);
    }

    long blockSecond(int row, int field) {
        return (long) LONGS.get(states, place(row, field) * BLOCK + Long.BYTES);
    }

    /** Column after column, since those who hand them over together do so column by column. */
    private int place(int row, int field) {
        return field * rowsTogether + row;
    }

    private void text(int row, int field, byte[] bytes, int from, int to) {
        int place = place(row, field);
        int size = to - from;
        if (size <= MAX_PLAIN) {
            put(place, (byte) size, bytes, from, size);
        } else {
            longFields.update(bytes, from, size);
            byte[] digest = longFields.doFinal();
            put(place, DIGESTED, digest, 0, digest.length);
        }
    }

    private void put(int place, byte prefix, byte[] bytes, int from, int size) {
        int at = place * BLOCK;
        if (size < BLOCK && from + BLOCK <= bytes.length) {
            putWords(prefix, bytes, from, size, at);
        } else {
            clear(states, at);
            states[at] = prefix;
            int first = Math.min(size, BLOCK - 1);
            System.arraycopy(bytes, from, states, at + 1, first);
            if (first < size) {
                putRest(place, bytes, from + first, size - first);
            }
        }
    }

    /** What short fields become: two words, of which the bytes behind the field are cut off. */
    private void putWords(byte prefix, byte[] bytes, int from, int size, int at) {
        long first = (long) LONGS.get(bytes, from) & firstBytes(size);
        long second = (long) LONGS.get(bytes, from + Long.BYTES) & firstBytes(size - Long.BYTES);
        LONGS.set(states, at, (long) prefix << LAST_BYTE | first >>> Byte.SIZE);
        LONGS.set(states, at + Long.BYTES, first << LAST_BYTE | second >>> Byte.SIZE);
    }

    /** So many bytes of a word, from none to all, and the others zero. */
    private static long firstBytes(int count) {
        return count <= 0 ? 0 : -1L << Byte.SIZE * Math.max(0, Long.BYTES - count);
    }

    private void putRest(int place, byte[] bytes, int from, int size) {
        int blocks = Math.ceilDiv(size, BLOCK);
        if (longerFields == longer.length) {
            longer = Arrays.copyOf(longer, 2 * longerFields);
            restBlocks = Arrays.copyOf(restBlocks, 2 * longerFields);
            restStarts = Arrays.copyOf(restStarts, 2 * longerFields);
        }
        if (rest.length - restLength < blocks * BLOCK) {
            rest = Arrays.copyOf(rest, 2 * rest.length);
        }
        longer[longerFields] = place;
        restBlocks[longerFields] = blocks;
        restStarts[longerFields] = restLength;
        longerFields++;
        clear(rest, restLength + (blocks - 1) * BLOCK);
        System.arraycopy(bytes, from, rest, restLength, size);
        restLength += blocks * BLOCK;
    }

    private static void clear(byte[] blocks, int at) {
        LONGS.set(blocks, at, 0L);
        LONGS.set(blocks, at + Long.BYTES, 0L);
    }

    /** Adds the first so many of the next rows, of which all fields were taken. */
    void addRows(int count) {
        encryptFirstBlocks();
        for (int block = 0; longerFields > 0; block++) {
            encryptFurtherBlocks(block);
        }
        sumFields(count);
        encrypt(rowCipher, states, count);
        for (int row = 0; row < count; row++) {
            addEncryptedRow(row);
        }
        rows += count;
        restLength = 0;
    }

    /** Of all rows so far; none if there are no rows, which nobody could recognize. */
    Optional<Fingerprint> fingerprint() {
        if (rows == 0) {
            return Optional.empty();
        }
        ByteBuffer total = ByteBuffer.allocate(3 * Long.BYTES);
        total.putLong(sumHigh).putLong(sumLow).putLong(rows);
        return Optional.of(new Fingerprint(HexFormat.of().formatHex(hmac(key).doFinal(total.array()))));
    }

    private void encryptFirstBlocks() {
        encrypt(fieldCipher, states, rowsTogether * fieldsOfRow);
        byte[] spare = states;
        states = encrypted;
        encrypted = spare;
    }

    /** Of the longer fields that have so many; those that have more are left in the list. */
    private void encryptFurtherBlocks(int block) {
        if (chained.length < longerFields * BLOCK) {
            chained = new byte[encrypted.length];
        }
        for (int i = 0; i < longerFields; i++) {
            chain(longer[i] * BLOCK, restStarts[i] + block * BLOCK, i * BLOCK);
            chain(longer[i] * BLOCK + Long.BYTES, restStarts[i] + block * BLOCK + Long.BYTES, i * BLOCK + Long.BYTES);
        }
        encrypt(fieldCipher, chained, longerFields);
        int left = 0;
        for (int i = 0; i < longerFields; i++) {
            System.arraycopy(encrypted, i * BLOCK, states, longer[i] * BLOCK, BLOCK);
            if (restBlocks[i] > block + 1) {
                longer[left] = longer[i];
                restBlocks[left] = restBlocks[i];
                restStarts[left] = restStarts[i];
                left++;
            }
        }
        longerFields = left;
    }

    private void chain(int state, int next, int into) {
        LONGS.set(chained, into, (long) LONGS.get(states, state) ^ (long) LONGS.get(rest, next));
    }

    /** Puts the sum of each row's fields where the state of its first field was. */
    private void sumFields(int count) {
        byte[] blocks = states;
        for (int field = 1; field < fieldsOfRow; field++) {
            int at = place(0, field) * BLOCK;
            for (int row = 0; row < count * BLOCK; row += BLOCK) {
                long term = (long) LONGS.get(blocks, at + row + Long.BYTES);
                long low = (long) LONGS.get(blocks, row + Long.BYTES) + term;
                long high = (long) LONGS.get(blocks, row) + (long) LONGS.get(blocks, at + row);
                LONGS.set(blocks, row + Long.BYTES, low);
                LONGS.set(blocks, row, high + carry(low, term));
            }
        }
    }

    private void addEncryptedRow(int row) {
        long term = (long) LONGS.get(encrypted, row * BLOCK + Long.BYTES);
        sumLow += term;
        sumHigh += (long) LONGS.get(encrypted, row * BLOCK) + carry(sumLow, term);
    }

    /** Out of a sum of two words, one of which was {@code term}. */
    private static long carry(long sum, long term) {
        return Long.compareUnsigned(sum, term) < 0 ? 1 : 0;
    }

    /** Each block for itself, into {@link #encrypted}. */
    private void encrypt(Cipher cipher, byte[] blocks, int count) {
        try {
            cipher.update(blocks, 0, count * BLOCK, encrypted, 0);
        } catch (ShortBufferException e) {
            throw new IllegalStateException("a block becomes a block", e);
        }
    }

    private static Cipher aes(byte[] key) {
        try {
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
            return cipher;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has AES", e);
        }
    }

    private static Mac hmac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
    }

    private static byte[] ascii(String label) {
        return label.getBytes(StandardCharsets.US_ASCII);
    }
}
