package dev.purser.ledger.attachment;

import dev.purser.digest.Sha256;
import dev.purser.journal.ChangedRow;
import dev.purser.problem.ProblemException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.LongSupplier;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads attachments piece by piece. Each piece has its own transaction, so that other requests run between
 * two pieces.
 *
 * <p>A second draw of noise under one debit would be a second release to a reader of the database. Therefore pieces are
 * encrypted, with AES-256 in counter mode (NIST SP 800-38A) under a key that is drawn for them alone. The key is stored
 * with the answer, in one transaction. The digest in the answer shows that the bytes read are the bytes written.
 *
 * <p><b>Failure story.</b> If we stop between two pieces, or before the answer is stored, the key is gone, and nobody
 * can read what was written. The retry draws again and writes its own pieces, under another key. Whichever attempt
 * stores the answer first has the attachment; {@link #removeLeftovers} removes the pieces of all others.
 *
 * @param random 64 random bits per call, for keys
 * @param pieceBytes how many bytes each piece except the last has
 */
public record AttachmentPieces(AttachmentStore store, LongSupplier random, int pieceBytes) {
    /** A piece is written within a fraction of the 100 ms that other requests may wait for. */
    public static final int PIECE_BYTES = 1 << 18;

    private static final int LEFTOVERS_AT_ONCE = 100;

    /** Stores the content. Nobody can read it until an answer is stored with what this returns. */
    public StoredAttachment write(String queryId, Attachment attachment) {
        byte[] content = attachment.content();
        Attachments.Draw draw = draw();
        Cipher cipher = cipher(Cipher.ENCRYPT_MODE, draw);
        int number = 0;
        for (int from = 0; from < content.length; from += pieceBytes) {
            Attachments.Piece piece = new Attachments.Piece(queryId, draw.id(), number);
            byte[] sealed = cipher.update(content, from, Math.min(content.length - from, pieceBytes));
            store.changeAttachments(attachments -> attachments.add(piece, sealed));
            number++;
        }
        return new StoredAttachment(queryId, attachment.series(), draw, number);
    }

    private Attachments.Draw draw() {
        ByteBuffer key = ByteBuffer.allocate(32);
        while (key.hasRemaining()) {
            key.putLong(random.getAsLong());
        }
        return new Attachments.Draw(Sha256.of(key.array()), key.array());
    }

    /** A key encrypts one content only, so its counter may begin at zero. */
    private static Cipher cipher(int mode, Attachments.Draw draw) {
        try {
            Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
            cipher.init(mode, new SecretKeySpec(draw.key(), "AES"), new IvParameterSpec(new byte[16]));
            return cipher;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has AES-256 in counter mode", impossible);
        }
    }

    /**
     * The attachment of an answer.
     *
     * @throws ProblemException {@code internal-error} if it does not have this digest
     */
    public byte[] read(String queryId, byte[] digest) {
        Attachments.Draw draw = store.lookAtAttachments(attachments -> attachments.settled(queryId))
                .orElseThrow(() -> changed(queryId));
        byte[] content = opened(queryId, draw);
        if (!MessageDigest.isEqual(digest, Sha256.of(content))) {
            throw changed(queryId);
        }
        return content;
    }

    private byte[] opened(String queryId, Attachments.Draw draw) {
        long length = store.lookAtAttachments(attachments -> attachments.length(queryId, draw.id()));
        if (length > Attachment.MAX_BYTES) {
            throw changed(queryId);
        }
        ByteBuffer content = ByteBuffer.allocate((int) length);
        Cipher cipher = cipher(Cipher.DECRYPT_MODE, draw);
        for (int number = 0; content.hasRemaining(); number++) {
            Attachments.Piece piece = new Attachments.Piece(queryId, draw.id(), number);
            byte[] sealed = store.lookAtAttachments(attachments -> attachments.sealed(piece))
                    .orElse(new byte[0]);
            if (sealed.length == 0 || sealed.length > content.remaining()) {
                throw changed(queryId);
            }
            content.put(cipher.update(sealed));
        }
        return content.array();
    }

    private static ProblemException changed(String queryId) {
        return ChangedRow.refused("attachment " + queryId, "it is not the content that its answer names");
    }

    /** Removes the pieces that belong to no answer although their question is answered. */
    public void removeLeftovers() {
        List<Attachments.Piece> found;
        do {
            found = store.lookAtAttachments(attachments -> attachments.leftovers(LEFTOVERS_AT_ONCE));
            for (Attachments.Piece leftover : found) {
                store.changeAttachments(attachments -> attachments.remove(leftover));
            }
        } while (!found.isEmpty());
    }
}
