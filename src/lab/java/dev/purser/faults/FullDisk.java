package dev.purser.faults;

import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** No room is left for the ledger, for a while. Afterwards the service has to go on by itself. */
record FullDisk(HomeFolder folder) implements Nemesis {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    @Override
    public String name() {
        return "full-disk";
    }

    @Override
    public Optional<String> leftOut() {
        return HomeFolder.canBeSmall() ? Optional.empty() : Optional.of("a small file system needs root and mount");
    }

    /** Whether this home can be filled. */
    boolean isPossibleHere() {
        return folder.isSmall();
    }

    @Override
    public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
        Thread.sleep(random.nextInt(50, 700));
        long before = battle.findings().counted("503");
        folder.fill();
        try {
            Thread.sleep(random.nextInt(500, 1_500));
        } finally {
            folder.free();
        }
        boolean felt = battle.findings().counted("503") > before;
        battle.load().stop();
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (battle.service().isAlive() && !isDecided(battle.load().askOne())) {
            if (System.nanoTime() > deadline) {
                battle.findings().broken("I15", "no answer within 30 s after the full disk was freed");
                break;
            }
            Thread.sleep(50);
        }
        return felt ? 1 : 0;
    }

    /** A refusal is read from the ledger too. */
    private static boolean isDecided(@Nullable Reply reply) {
        return reply != null && (reply.isAnswer() || reply.isExhausted());
    }
}
