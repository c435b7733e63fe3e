package dev.purser.ledger;

import dev.purser.digest.Sha256;
import dev.purser.journal.ChangedRow;
import dev.purser.problem.ProblemException;
import dev.purser.store.Database;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/**
 * Writes and reads attachments piece by piece, each in a transaction of its own, so that others get in between.
 *
 * <p><b>Failure story.</b> If we stop between two pieces, or before the answer is stored, nobody can read what was
 * written: no answer has its digest. The retry draws again and writes its own pieces, under another digest. Whichever
 * attempt stores the answer first has the content; {@link #removeLeftovers} removes the pieces of all others.
 *
 * @param pieceBytes how many bytes a piece has, but for the last one
 */
record AttachedContents(LedgerStore store, int pieceBytes) {
    /** Written within a fraction of the 100 ms that others may wait for. */
    static final int PIECE_BYTES = 1 << 20;

    private static final int LEFTOVERS_AT_ONCE = 100;

    Attached write(String queryId, Attachment attachment) {
        byte[] content = attachment.content();
        byte[] digest = attachment.digest();
        int number = 0;
        for (int from = 0; from < content.length; from += pieceBytes) {
            Attachments.Piece piece = new Attachments.Piece(queryId, digest, number);
            byte[] part = Arrays.copyOfRange(content, from, Math.min(content.length, from + pieceBytes));
            store.change(Database.NO_ACCOUNT, books -> {
                books.attachments().add(piece, part);
                return null;
            });
            number++;
        }
        return new Attached(queryId, attachment.series(), digest, number);
    }

    /**
     * The content with this digest.
     *
     * @throws ProblemException {@code internal-error} if it is not what was stored
     */
    byte[] read(String queryId, byte[] digest) {
        long length = store.look(books -> books.attachments().length(queryId, digest));
        if (length > Attachment.MAX_BYTES) {
            throw changed(queryId);
        }
        ByteBuffer content = ByteBuffer.allocate((int) length);
        for (int number = 0; content.hasRemaining(); number++) {
            Attachments.Piece piece = new Attachments.Piece(queryId, digest, number);
            byte[] part =
                    store.look(books -> books.attachments().content(piece)).orElse(new byte[0]);
            if (part.length == 0 || part.length > content.remaining()) {
                throw changed(queryId);
            }
            content.put(part);
        }
        if (!MessageDigest.isEqual(digest, Sha256.of(content.array()))) {
            throw changed(queryId);
        }
        return content.array();
    }

    private static ProblemException changed(String queryId) {
        return ChangedRow.refused("attachment " + queryId, "it is not the content that its answer names");
    }

    void removeLeftovers() {
        List<Attachments.Piece> found;
        do {
            found = store.look(books -> books.attachments().leftovers(LEFTOVERS_AT_ONCE));
            for (Attachments.Piece leftover : found) {
                store.change(Database.NO_ACCOUNT, books -> {
                    books.attachments().remove(leftover);
                    return null;
                });
            }
        } while (!found.isEmpty());
    }
}
