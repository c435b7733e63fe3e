package dev.purser.faults;

import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Something that goes wrong while the clients ask. The cycle kills the services afterwards in any case. */
interface Nemesis {
    String name();

    /** Why it cannot be done on this machine or topology; empty if it can. */
    default Optional<String> leftOut() {
        return Optional.empty();
    }

    /**
     * Injects its faults under load. When it returns, everything is repaired, except that the services may be dead.
     *
     * @return how many faults were delivered
     */
    int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException;

    /** What a nemesis can reach. */
    record Battle(ServiceUnderTest service, Workload load, Findings findings, TestDataset dataset, Witness witness) {}

    /** Only load for a while. The fault is the kill that follows. */
    final class Kill implements Nemesis {
        @Override
        public String name() {
            return "kill";
        }

        @Override
        public int strike(Battle battle, RandomGenerator random) throws InterruptedException {
            Thread.sleep(random.nextInt(50, 3_000));
            return 1;
        }
    }

    /** The process is stopped at any instruction, and goes on later. */
    final class Pause implements Nemesis {
        @Override
        public String name() {
            return "pause";
        }

        @Override
        public int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException {
            Thread.sleep(random.nextInt(50, 700));
            battle.service().pause();
            try {
                Thread.sleep(random.nextInt(200, 1_500));
            } finally {
                battle.service().resume();
            }
            Thread.sleep(random.nextInt(50, 700));
            return 1;
        }
    }
}
