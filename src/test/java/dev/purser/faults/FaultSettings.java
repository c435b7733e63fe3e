package dev.purser.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a run is made of. The seed decides the questions of every client and the faults of every cycle; how the threads
 * interleave, and where exactly a fault meets them, it does not.
 *
 * @param duration no cycle begins after it
 * @param cycles no more than these
 * @param questions that one dataset's budget pays for, in the mean
 * @param only names of the faults to use; all if empty
 * @param topologies to go through in turn
 * @param restartMillis within which a restarted service has to give its first correct answer
 * @param stopAtFirst whether the first broken invariant ends the run
 */
record FaultSettings(
        Path jar,
        long seed,
        Duration duration,
        int cycles,
        int questions,
        Set<String> only,
        List<String> topologies,
        long restartMillis,
        boolean stopAtFirst) {
    private static final String[] ALL = {"sqlite-small", "sqlite-disk", "postgres", "postgres-two", "postgres-standby"};

    private static final Duration WHOLE = Duration.ofMinutes(20);

    static final int CLIENTS = 32;
    /** Services take this port of the loopback and those after it. */
    static final int PORT = Integer.getInteger("faults.port", 18_200);

    static final int PROXY_PORT = PORT + 10;

    static FaultSettings fromSystemProperties() {
        String only = System.getProperty("faults.only", "");
        String topologies = System.getProperty("faults.topologies", "");
        return new FaultSettings(
                Path.of(System.getProperty("purser.jar", "target/purser.jar")).toAbsolutePath(),
                Long.getLong("faults.seed", System.nanoTime()),
                Duration.ofSeconds(Math.round(60 * Double.parseDouble(System.getProperty("faults.minutes", "5")))),
                Integer.getInteger("faults.cycles", Integer.MAX_VALUE),
                Integer.getInteger("faults.questions", 1_500),
                only.isEmpty() ? Set.of() : Set.of(only.split(",")),
                List.of(topologies.isEmpty() ? ALL : topologies.split(",")),
                Long.getLong("faults.restart-millis", 15_000),
                Boolean.getBoolean("faults.stop-at-first"));
    }

    /** Long enough that every fault has to have happened at least once. */
    boolean isWhole() {
        return duration.compareTo(WHOLE) >= 0;
    }

    /** The fastest folder of this machine: what lies there is not on the service's disk. */
    static Path witnessFolder() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }
}
