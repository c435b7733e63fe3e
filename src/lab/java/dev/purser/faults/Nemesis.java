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
     * Goes to work under load and returns with the world healed, except for the services, which may be dead.
     *
     * @return how many faults were delivered
     */
    int strike(Battle battle, RandomGenerator random) throws IOException, InterruptedException;

    /** What a nemesis can reach. */
    record Battle(ServiceUnderTest service, Workload load, Findings findings, TestDataset dataset, Witness witness) {}

    /** Nothing but load for a while: what follows, the kill, is the fault. */
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

    /** The process stands still in the middle of whatever it does, and goes on. */
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
