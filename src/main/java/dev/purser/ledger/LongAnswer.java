package dev.purser.ledger;

import dev.purser.digest.Sha256;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The record of an answer that is longer than its beginning. The rest of the answer is kept in pieces. The journal also
 * has this record, so that every piece can be compared with its digest.
 *
 * @param length how many bytes the answer has
 * @param digests SHA-256 of the answer, of its beginning, and of each piece in its order
 */
record LongAnswer(long length, byte[] digests) {
    private static final int DIGEST_BYTES = 32;

    /** The record of an answer that is longer than one piece. */
    static LongAnswer of(byte[] body) {
        ByteArrayOutputStream digests = new ByteArrayOutputStream();
        digests.writeBytes(Sha256.of(body));
        for (int number = 0; number < pieces(body); number++) {
            digests.writeBytes(Sha256.of(piece(body, number)));
        }
        return new LongAnswer(body.length, digests.toByteArray());
    }

    /** The number of pieces of a body, with its beginning. */
    static int pieces(byte[] body) {
        return Math.ceilDiv(body.length, StoredAnswer.MAX_BEGINNING);
    }

    /** A piece of a body. The first piece is the beginning. */
    static byte[] piece(byte[] body, int number) {
        int from = number * StoredAnswer.MAX_BEGINNING;
        return Arrays.copyOfRange(body, from, Math.min(body.length, from + StoredAnswer.MAX_BEGINNING));
    }

    /** How many pieces there are, the beginning included. */
    int pieces() {
        return digests.length / DIGEST_BYTES - 1;
    }

    byte[] digest() {
        return Arrays.copyOf(digests, DIGEST_BYTES);
    }

    boolean hasPiece(int number, byte[] content) {
        int from = DIGEST_BYTES * (number + 1);
        return number < pieces()
                && Arrays.equals(digests, from, from + DIGEST_BYTES, Sha256.of(content), 0, DIGEST_BYTES);
    }
}
