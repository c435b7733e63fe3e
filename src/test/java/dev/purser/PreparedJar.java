package dev.purser;

import dev.purser.start.PreparedStart;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A packaged service, prepared for quick starts by its own command, and started from its parts directly as the container image
 * does.
 *
 * @param arguments of Java, after its options
 */
public record PreparedJar(List<String> arguments) {
    /**
     * Prepares a packaged service.
     *
     * @param folder to be made; its parent gets the log
     */
    public static PreparedJar of(Path packaged, Path folder) throws IOException, InterruptedException {
        return of(packaged, folder, Map.of());
    }

    /**
     * Prepares a packaged service where there are these variables of the environment.
     *
     * @param folder to be made; its parent gets the log
     */
    static PreparedJar of(Path packaged, Path folder, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path log = folder.resolveSibling("preparation.log");
        ProcessBuilder builder = new ProcessBuilder(command("-jar", "" + packaged, "prepare", "" + folder))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        if (builder.start().waitFor() != 0) {
            throw new IOException(builder.command() + " failed:\n" + Files.readString(log));
        }
        PreparedStart prepared = new PreparedStart(packaged, folder);
        return new PreparedJar(List.of("-XX:AOTCache=" + prepared.archive(), "-jar", "" + prepared.jar()));
    }

    /** A packaged service as it is, whose starts take longer. */
    public static PreparedJar alone(Path packaged) {
        return new PreparedJar(List.of("-jar", "" + packaged));
    }

    /** The command that starts the service, with these options of Java. */
    public List<String> start(String... options) {
        List<String> command = command(options);
        command.addAll(arguments);
        return command;
    }

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of(arguments));
        return command;
    }
}
