package dev.purser.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A second JVM with the class path of this JVM, for what only another process can show. */
public final class ChildJvm {
    private ChildJvm() {}

    /** Starts {@code main}. Both of its outputs are the one input stream of the process. */
    public static Process start(Class<?> main, Object... arguments) throws IOException {
        return start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), main, arguments);
    }

    /** Starts {@code main} with these options of Java. */
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
