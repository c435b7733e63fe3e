package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The n-th flush or write of the ledger's files fails, or the process is killed in it. strace counts per thread, and
 * the ledger has one writer. A call with an injected error is not carried out.
 */
record SyscallFault(String name, String calls, String what, List<Path> files) implements Nemesis {
    private static final int PATIENCE_MILLIS = 4_000;

    @Override
    public Optional<String> leftOut() {
        return Trace.leftOut();
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(50, 300));
        String inject = what + ":when=" + random.nextInt(1, 40);
        try (Trace trace = new Trace(battle.service(), files, calls, inject)) {
            boolean delivered = false;
            for (int waited = 0; waited < PATIENCE_MILLIS && !delivered; waited += 20) {
                Thread.sleep(20);
                delivered = !battle.service().isAlive() || trace.seen("INJECTED") > 0;
            }
            // Wait for some replies after the fault, to see whether they are wrong.
            Thread.sleep(300);
            return delivered ? 1 : 0;
        }
    }
}
