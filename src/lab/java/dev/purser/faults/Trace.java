package dev.purser.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** strace on a running service, on the system calls that touch some files. Closing it detaches strace. */
final class Trace implements AutoCloseable {
    private final Path output;
    private final Process strace;

    /**
     * @param calls for example {@code fsync,fdatasync}
     * @param inject for example {@code error=EIO:when=3}; empty to watch only
     */
    Trace(ServiceUnderTest service, List<Path> files, String calls, String inject)
            throws IOException, InterruptedException {
        output = Files.createTempFile("purser-trace", ".txt");
        List<String> command = new ArrayList<>(List.of("strace", "-f", "-e", "trace=" + calls));
        for (Path file : files) {
            command.addAll(List.of("-P", file.toString()));
        }
        if (!inject.isEmpty()) {
            command.addAll(List.of("-e", "inject=" + calls + ":" + inject));
        }
        command.addAll(List.of("-o", output.toString(), "-p", String.valueOf(service.pid())));
        strace = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        awaitAttached(service);
    }

    /** strace attaches to one thread after the other, and does not see calls of a thread before that. */
    private void awaitAttached(ServiceUnderTest service) throws IOException, InterruptedException {
        for (int i = 0; i < 500 && strace.isAlive() && service.isAlive(); i++) {
            if (holdsAll(Path.of("/proc", String.valueOf(service.pid()), "task"))) {
                return;
            }
            Thread.sleep(10);
        }
    }

    private boolean holdsAll(Path threads) throws IOException {
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(this::holds);
        }
    }

    private boolean holds(Path thread) {
        try {
            return Files.readString(thread.resolve("status")).contains("TracerPid:\t" + strace.pid());
        } catch (IOException ended) {
            return true;
        }
    }

    /** How often a call was seen with this text in its line. */
    long seen(String text) throws IOException {
        return Files.readString(output, StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> line.contains(text))
                .count();
    }

    /** Why nothing can be traced here, if nothing can. */
    static Optional<String> leftOut() {
        return Programs.exists("strace") ? Optional.empty() : Optional.of("there is no strace");
    }

    @Override
    public void close() throws IOException {
        strace.destroy();
        try {
            if (!strace.waitFor(5, TimeUnit.SECONDS)) {
                strace.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            strace.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(output);
    }
}
