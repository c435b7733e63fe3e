package dev.purser.faults;

import dev.purser.Leftovers;
import dev.purser.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The packaged service as a child process, on a home of its own. It is started and killed many times. */
final class ServiceUnderTest {
    static final String ADMIN_KEY = "fault-harness-administrator-key";

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path jar;
    private final Path home;
    private final Path log;
    private final int port;
    private final String heap;
    private final Map<String, String> settings;
    private Process process;

    ServiceUnderTest(Path jar, Path home, Path log, int port, Map<String, String> settings) {
        this(jar, home, log, port, "512m", settings);
    }

    /** @param heap as Java's option {@code -Xmx} writes it */
    ServiceUnderTest(Path jar, Path home, Path log, int port, String heap, Map<String, String> settings) {
        this.jar = jar;
        this.home = home;
        this.log = log;
        this.port = port;
        this.heap = heap;
        this.settings = settings;
    }

    /** Starts the process; it is not ready yet. */
    synchronized void start(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ServiceProcess.starting(jar, "-Xmx" + heap));
        builder.environment().put("PURSER_HOME", home.toString());
        builder.environment().put("PURSER_ADMIN_KEY", ADMIN_KEY);
        builder.environment().put("SERVER_PORT", String.valueOf(port));
        builder.environment().putAll(settings);
        builder.environment().putAll(environment);
        process = Leftovers.watched(builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    }

    /** Begins a command of the jar on a home, with the settings of this service. */
    Process begin(Path on, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(ServiceProcess.starting(jar, "-Xmx256m"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PURSER_HOME", on.toString());
        builder.environment().put("PURSER_ADMIN_KEY", ADMIN_KEY);
        builder.environment().putAll(settings);
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** A service like this one on another home and port. */
    ServiceUnderTest on(Path other, Path itsLog, int itsPort) {
        return new ServiceUnderTest(jar, other, itsLog, itsPort, heap, settings);
    }

    /** Kills the process, which gets no chance to finish anything. */
    synchronized void kill() throws InterruptedException {
        if (process != null) {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    void pause() throws IOException, InterruptedException {
        Programs.signal(process, "STOP");
    }

    void resume() throws IOException, InterruptedException {
        Programs.signal(process, "CONT");
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    int port() {
        return port;
    }

    Path home() {
        return home;
    }

    /** Waits until {@code ready} says so. */
    void await(Ready ready) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isReady(ready)) {
            if (!isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the service did not start; its log is " + log + ":\n" + tail());
            }
            Thread.sleep(10);
        }
    }

    void awaitHealthy() throws IOException, InterruptedException {
        try (Api api = new Api(port, ADMIN_KEY)) {
            await(() -> api.get("/actuator/health") != null);
        }
    }

    /** Whether the process that was started ends by itself, with a status that is not 0, before it answers anything. */
    boolean refuses() throws InterruptedException {
        try {
            awaitHealthy();
            return false;
        } catch (IOException ended) {
            return !isAlive() && process.exitValue() != 0;
        }
    }

    private static boolean isReady(Ready ready) throws InterruptedException {
        try {
            return ready.isReady();
        } catch (IOException notYet) {
            return false;
        }
    }

    private String tail() throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    @FunctionalInterface
    interface Ready {
        boolean isReady() throws IOException, InterruptedException;
    }
}
