package dev.purser.ledger;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LongAnswerTests {
    /** The body has two whole pieces and one byte; no two pieces are alike. */
    private static final byte[] BODY = body(2 * StoredAnswer.MAX_BEGINNING + 1);

    private static byte[] body(int length) {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) (i / StoredAnswer.MAX_BEGINNING);
        }
        return body;
    }

    @Test
    void aPieceIsOnlyItsOwn() {
        LongAnswer whole = LongAnswer.of(BODY);

        assertThat(whole.pieces()).isEqualTo(3);
        for (int number = 0; number < 3; number++) {
            for (int other = 0; other < 3; other++) {
                assertThat(whole.hasPiece(number, LongAnswer.piece(BODY, other)))
                        .as("piece %s in the place of %s", other, number)
                        .isEqualTo(number == other);
            }
        }
    }

    @Test
    void aPieceThatIsCutOrBeyondTheEndIsNone() {
        LongAnswer whole = LongAnswer.of(BODY);
        byte[] piece = LongAnswer.piece(BODY, 1);

        assertThat(whole.hasPiece(1, Arrays.copyOf(piece, piece.length - 1))).isFalse();
        assertThat(whole.hasPiece(3, new byte[0])).isFalse();
        assertThat(new LongAnswer(BODY.length, Arrays.copyOf(whole.digests(), 64)).hasPiece(1, piece))
                .isFalse();
        assertThat(new LongAnswer(0, new byte[0]).hasPiece(0, piece)).isFalse();
    }
}
