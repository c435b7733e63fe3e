package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Asks questions one after another and counts the flushes of the ledger's files. Killing a process does not lose what
 * the kernel holds, so only this distinguishes a durable commit from one that a power failure would undo. A question
 * needs two commits, the debit and the answer, and each needs a flush before it is acknowledged.
 */
record FlushCount(List<Path> files) implements Nemesis {
    private static final int QUESTIONS = 10;
    private static final int FLUSHES_EACH = 2;

    @Override
    public String name() {
        return "flush-count";
    }

    @Override
    public Optional<String> leftOut() {
        return Trace.leftOut();
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(50, 300));
        battle.load().stop();
        int answered = 0;
        try (Trace trace = new Trace(battle.service(), files, "fsync,fdatasync", "")) {
            for (int i = 0; i < QUESTIONS; i++) {
                // A refusal changes nothing that has to be durable.
                Reply reply = battle.load().askOne();
                answered += reply != null && reply.isAnswer() ? 1 : 0;
            }
            long flushes = trace.seen("sync(");
            battle.findings()
                    .holds(
                            flushes >= (long) answered * FLUSHES_EACH,
                            "I14",
                            answered + " answers one after another with " + flushes + " flushes of the ledger's files",
                            "");
        }
        return answered > 0 ? 1 : 0;
    }
}
