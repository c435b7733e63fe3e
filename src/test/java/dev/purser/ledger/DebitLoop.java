package dev.purser.ledger;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The main class of a process that is to be killed. It debits and answers from several threads and prints what the
 * ledger returned.
 */
final class DebitLoop {
    static final int THREADS = 8;

    private DebitLoop() {}

    public static void main(String[] arguments) {
        OpenLedger open = new OpenLedger(Path.of(arguments[0]));
        for (int i = 0; i < THREADS; i++) {
            Thread.ofPlatform().start(() -> loop(open));
        }
    }

    private static void loop(OpenLedger open) {
        for (int i = 1; true; i++) {
            String key = UUID.randomUUID().toString();
            CommittedDebit debit = open.debit(key, "0.000001");
            say("debited " + debit.queryId() + " " + debit.sequence() + " " + key);
            if (i % 2 == 0) {
                StoredAnswer answer = open.ledger.settle(debit, ("answer to " + key).getBytes(StandardCharsets.UTF_8));
                say("answered " + answer.queryId() + " " + new String(answer.body(), StandardCharsets.UTF_8));
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
