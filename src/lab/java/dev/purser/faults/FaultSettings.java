package dev.purser.faults;

import dev.purser.lab.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The settings of a run. The seed decides the questions of every client and the faults of every cycle. It does not
 * decide how the threads interleave, or at which instruction a fault occurs.
 *
 * @param port the first of the loopback ports that services take
 * @param duration no cycle begins after this time
 * @param cycles the most cycles
 * @param questions that one dataset's budget pays for, on average
 * @param only names of the faults to use; all if empty
 * @param topologies to go through in turn
 * @param restartMillis within which a restarted service has to give its first correct answer
 * @param stopAtFirst whether the first broken invariant ends the run
 */
record FaultSettings(
        Path jar,
        int port,
        long seed,
        Duration duration,
        int cycles,
        int questions,
        Set<String> only,
        List<String> topologies,
        long restartMillis,
        boolean stopAtFirst) {
    private static final List<String> ALL =
            List.of("sqlite-small", "sqlite-disk", "postgres", "postgres-two", "postgres-standby");

    private static final Duration WHOLE = Duration.ofMinutes(20);

    static final int CLIENTS = 32;
    static final int PORT = 18_200;

    /** Reads options of the names in docs/reliability.md. */
    static FaultSettings of(Options options) {
        List<String> topologies = options.words("topologies");
        return new FaultSettings(
                packagedJar(),
                options.count("port", PORT),
                options.number("seed", System.nanoTime()),
                minutes(options),
                options.count("cycles", Integer.MAX_VALUE),
                options.count("questions", 1_500),
                Set.copyOf(options.words("only")),
                topologies.isEmpty() ? ALL : topologies,
                options.number("restart-millis", 15_000),
                false);
    }

    static Path packagedJar() {
        return Path.of(System.getProperty("purser.jar")).toAbsolutePath();
    }

    static Duration minutes(Options options) {
        return Duration.ofSeconds(Math.round(60 * options.decimal("minutes", 5)));
    }

    int proxyPort() {
        return port + 10;
    }

    /** Whether the run is so long that every fault must have happened at least once. */
    boolean isWhole() {
        return duration.compareTo(WHOLE) >= 0;
    }

    /** The fastest folder of this machine. Its files are not on the service's disk. */
    static Path witnessFolder() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }
}
