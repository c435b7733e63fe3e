package dev.purser.upload;

import dev.purser.digest.SipHash128;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the {@link dev.purser.dataset.Fingerprint} of rows while they are read, under several keys at once. It
 * depends on the multiset of the rows. Of each row, it depends on the fields in their order. The order of the rows, the
 * names of the columns, quotes, line ends and the way a number is written do not change it: {@code 1}, {@code 1.0} and
 * {@code 10e-1} are one number. The order of the columns changes it.
 *
 * <p>The construction is MSet-Add-Hash (Clarke, Devadas, van Dijk, Gassend, Suh: Incremental multiset hash functions,
 * ASIACRYPT 2003) with SipHash-2-4 of 128 bits (Aumasson, Bernstein: SipHash, INDOCRYPT 2012) as the keyed function:
 *
 * <pre>
 * number       sign and exponent, then its digits without the zeros at either end: as a word if there are at most 18
 * other field  its length, then its bytes
 * row          SipHash of its fields; a first byte says which form each has, and no form is the beginning of another
 * fingerprint  HMAC-SHA-256 of the sum of all rows modulo 2^128 and of their number
 * </pre>
 *
 * The rows are added, because two equal rows would cancel out in an exclusive or. Two files of different rows, chosen
 * without the key, have the same fingerprint with a probability of about 2^-128, times the largest power of two that
 * divides every difference in how often a row occurs. Nobody can search for such files, because no fingerprint is ever
 * shown: an upload learns only whether its rows are known. Without the key, a reader of the ledger cannot test guesses
 * of rows.
 */
final class RowFingerprint {
    private static final int TEXT = 0;
    private static final int NUMBER = 1;
    private static final int LONG_NUMBER = 2;
    private static final int NEGATIVE = 4;

    private final List<Sum> sums;
    private final ByteBuffer head = ByteBuffer.allocate(1 + 2 * Long.BYTES);
    private long rows;

    /** @param keys the keys; fingerprints can be compared only if they were made with the same key */
    RowFingerprint(List<byte[]> keys) {
        sums = keys.stream().map(Sum::new).toList();
    }

    /** Takes the next field of a row. */
    void field(FieldText field) {
        if (!field.isNumber()) {
            head.clear().put((byte) TEXT).putLong(field.to() - field.from());
            update(field.bytes(), field.from(), field.to() - field.from());
        } else if (field.isLong()) {
            longNumber(field);
        } else {
            number(field.isNegative(), field.leading(), field.exponent());
        }
    }

    private void number(boolean negative, long leading, long exponent) {
        long digits = leading;
        long power = leading == 0 ? 0 : exponent;
        while (digits != 0 && digits % 10 == 0) {
            digits /= 10;
            power++;
        }
        int sign = negative && digits != 0 ? NEGATIVE : 0;
        head.clear().put((byte) (NUMBER | sign)).putLong(power).putLong(digits);
        update(head.array(), 0, 0);
    }

    private void longNumber(FieldText field) {
        StringBuilder digits = new StringBuilder(field.digits());
        field.copyDigits(field.digits(), digits);
        int length = digits.length();
        while (digits.charAt(length - 1) == '0') {
            length--;
        }
        long power = field.exponent() + field.digits() - length;
        digits.setLength(length);
        if (length <= FieldText.MAX_LEADING) {
            number(field.isNegative(), Long.parseLong(digits.toString()), power);
            return;
        }
        int sign = field.isNegative() ? NEGATIVE : 0;
        head.clear().put((byte) (LONG_NUMBER | sign)).putLong(power).putLong(length);
        update(digits.toString().getBytes(StandardCharsets.US_ASCII), 0, length);
    }

    /** Hashes the head, then {@code length} bytes. */
    private void update(byte[] bytes, int from, int length) {
        for (Sum sum : sums) {
            sum.row.update(head.array(), 0, head.position());
            sum.row.update(bytes, from, length);
        }
    }

    /** Ends a row, after all its fields were taken. */
    void endRow() {
        sums.forEach(Sum::endRow);
        rows++;
    }

    /**
     * The fingerprints of all rows so far, in hexadecimal, in the order of the keys. The list is empty without rows.
     */
    List<String> fingerprints() {
        return rows == 0 ? List.of() : sums.stream().map(sum -> sum.of(rows)).toList();
    }

    /** The sum of all rows under one key. */
    private static final class Sum {
        private final byte[] key;
        private final SipHash128 row;
        private final ByteBuffer hash = ByteBuffer.allocate(2 * Long.BYTES);
        private long high;
        private long low;

        Sum(byte[] key) {
            this.key = key.clone();
            byte[] ofRows = hmac("row".getBytes(StandardCharsets.US_ASCII));
            row = new SipHash128(Arrays.copyOf(ofRows, SipHash128.KEY_BYTES));
        }

        void endRow() {
            row.end(hash.array());
            long added = hash.getLong(Long.BYTES);
            low += added;
            high += hash.getLong(0) + (Long.compareUnsigned(low, added) < 0 ? 1 : 0);
        }

        String of(long rows) {
            ByteBuffer total = ByteBuffer.allocate(3 * Long.BYTES);
            total.putLong(high).putLong(low).putLong(rows);
            return HexFormat.of().formatHex(hmac(total.array()));
        }

        private byte[] hmac(byte[] message) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                return mac.doFinal(message);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has HMAC with SHA-256", e);
            }
        }
    }
}
