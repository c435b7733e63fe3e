package dev.purser.ledger;

import dev.purser.ledger.attachment.Attachment;
import dev.purser.ledger.attachment.AttachmentPieces;
import dev.purser.ledger.attachment.StoredAttachment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * The main class of a process that is to be killed. It debits and answers from several threads and prints what the
 * ledger returned. The answers of one thread have attachments of two pieces.
 */
final class DebitLoop {
    static final int THREADS = 8;

    private DebitLoop() {}

    public static void main(String[] arguments) {
        OpenLedger open = new OpenLedger(Path.of(arguments[0]));
        for (int i = 0; i < THREADS; i++) {
            boolean attaches = i == 0;
            Thread.ofPlatform().start(() -> loop(open, attaches));
        }
    }

    private static void loop(OpenLedger open, boolean attaches) {
        for (int i = 1; true; i++) {
            String key = UUID.randomUUID().toString();
            CommittedDebit debit = open.debit(key, "0.000001");
            say("debited " + debit.queryId() + " " + debit.sequence() + " " + key);
            if (attaches) {
                StoredAnswer answer = attach(open.ledger, debit, key);
                say("attached " + answer.queryId() + " " + key);
            } else if (i % 2 == 0) {
                StoredAnswer answer = open.ledger.settle(debit, ("answer to " + key).getBytes(StandardCharsets.UTF_8));
                say("answered " + answer.queryId() + " " + new String(answer.beginning(), StandardCharsets.UTF_8));
            }
        }
    }

    /** Answers with an attachment. */
    static StoredAnswer attach(BudgetLedger ledger, CommittedDebit debit, String seed) {
        StoredAttachment attached = ledger.attach(debit, new Attachment(debit.queryId(), content(seed)));
        byte[] answer = ("it is of " + seed).getBytes(StandardCharsets.UTF_8);
        return ledger.settle(List.of(new Settlement(debit, answer, attached))).getFirst();
    }

    static byte[] content(String seed) {
        byte[] content = new byte[AttachmentPieces.PIECE_BYTES + 1_000];
        new Random(seed.hashCode()).nextBytes(content);
        return content;
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
