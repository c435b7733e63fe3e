package dev.purser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes the processor time of each class of tests, in seconds, with all processes that it started. The build names the
 * folder in the property {@code tests.times}, and {@code .ci/run} reads the folder. Only Linux shows the processor time
 * of another process; on other systems nothing is written.
 */
public final class ProcessorTimes implements TestExecutionListener {
    private static final double TICKS_A_SECOND = 100;

    private final Map<String, Long> before = new HashMap<>();

    @Override
    public void executionStarted(TestIdentifier identifier) {
        typeOf(identifier).ifPresent(type -> before.put(type, ticks()));
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        typeOf(identifier).ifPresent(type -> write(type, ticks() - before.remove(type)));
    }

    private static Optional<String> typeOf(TestIdentifier identifier) {
        return Files.exists(statOf(ProcessHandle.current()))
                ? identifier
                        .getSource()
                        .filter(ClassSource.class::isInstance)
                        .map(source -> ((ClassSource) source).getClassName())
                : Optional.empty();
    }

    private static void write(String type, long ticks) {
        String folder = System.getProperty("tests.times", "");
        if (!folder.isEmpty()) {
            try {
                Files.write(
                        Files.createDirectories(Path.of(folder))
                                .resolve(ProcessHandle.current().pid() + ".tsv"),
                        List.of(String.format(Locale.ROOT, "%s\t%.2f", type, ticks / TICKS_A_SECOND)),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        }
    }

    /** The ticks of this process and of all processes that it started, whether they still run or not. */
    private static long ticks() {
        ProcessHandle own = ProcessHandle.current();
        return Stream.concat(Stream.of(own), own.descendants())
                .mapToLong(ProcessorTimes::ticks)
                .sum();
    }

    /**
     * The ticks of a process and of its children that have ended: the fields utime, stime, cutime and cstime of
     * proc(5).
     */
    private static long ticks(ProcessHandle process) {
        try {
            String stat = Files.readString(statOf(process));
            return Stream.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "))
                    .skip(11)
                    .limit(4)
                    .mapToLong(Long::parseLong)
                    .sum();
        } catch (IOException hasEnded) {
            return 0;
        }
    }

    private static Path statOf(ProcessHandle process) {
        return Path.of("/proc", Long.toString(process.pid()), "stat");
    }
}
