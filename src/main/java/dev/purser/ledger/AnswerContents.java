package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.MessageDigest;
import java.util.AbstractList;
import java.util.Collections;

/**
 * Reads stored answers. A long one is read in pieces, each with a look of its own. So memory does not depend on its
 * length, and nobody waits for a connection while it is read or sent.
 */
record AnswerContents(LedgerStore store) {
    /** The SHA-256 digest of an answer's bytes, which nothing has compared yet if the answer is long. */
    byte[] digest(StoredAnswer answer) {
        MessageDigest digest = Sha256.begin();
        digest.update(answer.beginning());
        for (int piece = 0; piece < answer.pieces(); piece++) {
            digest.update(piece(answer, piece));
        }
        return digest.digest();
    }

    private byte[] piece(StoredAnswer answer, int piece) {
        return store.look(books -> books.answerPiece(answer.queryId(), piece));
    }

    /**
     * The digest, which is the one that the journal recorded. The books have compared that of a short answer already.
     *
     * @throws ProblemException {@code internal-error} if it is another
     */
    byte[] requiredDigest(StoredAnswer answer) {
        byte[] digest = digest(answer);
        if (!answer.isWhole()) {
            store.look(books -> {
                books.requireAnswer(answer.queryId(), digest);
                return null;
            });
        }
        return digest;
    }

    /** As {@link BudgetLedger#open}. */
    InputStream open(StoredAnswer answer, int first) {
        if (!answer.isWhole()) {
            requiredDigest(answer);
        }
        InputStream beginning = new ByteArrayInputStream(answer.beginning(), first, answer.beginning().length - first);
        return new SequenceInputStream(Collections.enumeration(new AbstractList<InputStream>() {
            @Override
            public InputStream get(int part) {
                return part == 0 ? beginning : new ByteArrayInputStream(piece(answer, part - 1));
            }

            @Override
            public int size() {
                return 1 + answer.pieces();
            }
        }));
    }
}
