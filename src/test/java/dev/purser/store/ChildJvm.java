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
        return start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), main, arguments);
    }

    /** The same with these options of Java. */
    public static Process start(List<String> options, Class<?> main, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
