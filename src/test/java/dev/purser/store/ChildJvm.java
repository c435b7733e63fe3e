package dev.purser.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A second JVM on this one's class path, for what only another process can show. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Starts {@code main}; both of its outputs are the process's one input stream. */
    public static Process start(Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
