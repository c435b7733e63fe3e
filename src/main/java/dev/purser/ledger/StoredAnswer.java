package dev.purser.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An answer as the ledger stored it. Answers are released only in this form: {@link BudgetLedger#open}.
 *
 * @param length how many bytes its JSON has
 * @param beginning the first of them, read back from the database: all, or {@link #MAX_BEGINNING}
 */
public record StoredAnswer(
        String queryId, String datasetId, String principal, String kind, long length, byte[] beginning) {
    /** An answer may have megabytes. A list of replays must not hold them all in memory. */
    static final int MAX_BEGINNING = 1 << 16;

    /** How many bytes of a longer answer are stored, and read, together. */
    static final int PIECE_BYTES = 1 << 18;

    /** Whether the beginning is all. */
    boolean isWhole() {
        return beginning.length == length;
    }

    /** How many pieces follow the beginning. */
    int pieces() {
        return Math.toIntExact(Math.ceilDiv(length - beginning.length, PIECE_BYTES));
    }

    /** The first bytes of an answer, which are in the row of its question. */
    static byte[] beginningOf(byte[] answer) {
        return answer.length <= MAX_BEGINNING ? answer : Arrays.copyOf(answer, MAX_BEGINNING);
    }

    /** The pieces that follow them, in order. */
    static List<byte[]> piecesOf(byte[] answer) {
        List<byte[]> pieces = new ArrayList<>();
        for (int from = MAX_BEGINNING; from < answer.length; from += PIECE_BYTES) {
            pieces.add(Arrays.copyOfRange(answer, from, Math.min(answer.length, from + PIECE_BYTES)));
        }
        return pieces;
    }
}
