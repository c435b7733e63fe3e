package dev.purser;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * What may not outlive this JVM: the servers that tests start, and one folder in which all temporary folders of tests
 * lie. A shell waits for the end of its input, which comes however the JVM ends. The shell then kills the servers that
 * still run and removes the folder. Where there is {@code setsid}, the shell has a session of its own, so a signal to
 * the whole process group does not reach it.
 */
public final class Leftovers implements TempDirFactory {
    private static final String WATCH = """
            trap '' HUP INT TERM
            running=
            while read -r what pid; do
                case $what in
                    started) running="$running $pid" ;;
                    ended) running=$(printf ' %s ' "$running" | sed "s/ $pid / /") ;;
                esac
            done
            [ -z "$running" ] || { kill -KILL $running 2>/dev/null; sleep 1; }
            rm -rf "$1"
            """;

    private static final Path SESSION = Path.of("/usr/bin/setsid");
    private static final Path FOLDER = newRoot();
    private static final BufferedWriter SHELL = watch();

    /** Kills the process when this JVM ends, if it still runs. Returns it. */
    public static Process watched(Process process) {
        tell("started " + process.pid());
        process.onExit().thenRun(() -> tell("ended " + process.pid()));
        return process;
    }

    /** The folder for temporary files of processes that tests start. */
    public static Path folder() {
        return FOLDER;
    }

    /** A new temporary folder. It may be removed before the JVM ends. */
    public static Path newFolder(String prefix) throws IOException {
        return Files.createTempDirectory(FOLDER, prefix);
    }

    /** JUnit makes every {@code @TempDir} here: junit-platform.properties. */
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return newFolder("junit");
    }

    private static Path newRoot() {
        try {
            Path root = Files.createTempDirectory("purser-tests");
            // The folder also has the folder of a server that runs as another user.
            root.toFile().setExecutable(true, false);
            return root;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static BufferedWriter watch() {
        try {
            List<String> command = new ArrayList<>(List.of("sh", "-c", WATCH, "sh", FOLDER.toString()));
            if (Files.isExecutable(SESSION)) {
                command.addFirst(SESSION.toString());
            }
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .outputWriter();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void tell(String line) {
        synchronized (SHELL) {
            try {
                SHELL.write(line + "\n");
                SHELL.flush();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
