package dev.purser.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Every flush of the ledger's files takes longer, and the process is killed during one. An error in the order of its
 * steps then lasts long enough to be seen.
 */
record SlowFlush(List<Path> files) implements Nemesis {
    private static final int DELAY_MICROS = 60_000;

    @Override
    public String name() {
        return "kill-in-slow-flush";
    }

    @Override
    public Optional<String> leftOut() {
        return Trace.leftOut();
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(50, 300));
        try (Trace trace = new Trace(battle.service(), files, "fsync,fdatasync", "delay_enter=" + DELAY_MICROS)) {
            // Any moment will do, because the service now flushes nearly all the time.
            Thread.sleep(random.nextInt(1_000, 2_500));
            battle.service().kill();
            return trace.seen("sync(") > 0 ? 1 : 0;
        }
    }
}
