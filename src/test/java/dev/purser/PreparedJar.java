package dev.purser;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The service ready for a quick start, prepared by the commands of docs/operating.md.
 *
 * @param jar with its parts beside it
 * @param archive of the classes that a start needs
 */
public record PreparedJar(Path jar, Path archive) {
    /**
     * Prepares a packaged service.
     *
     * @param folder to be made; its parent gets the log
     */
    public static PreparedJar of(Path packaged, Path folder) throws IOException, InterruptedException {
        PreparedJar prepared = new PreparedJar(folder.resolve(packaged.getFileName()), folder.resolve("purser.aot"));
        prepared.run("-Djarmode=tools", "-jar", "" + packaged, "extract", "--destination", "" + folder);
        prepared.run(
                "-XX:AOTCacheOutput=" + prepared.archive, "-Dspring.context.exit=onRefresh", "-jar", "" + prepared.jar);
        return prepared;
    }

    private void run(String... arguments) throws IOException, InterruptedException {
        Path folder = jar.getParent();
        Path log = folder.resolveSibling("preparation.log");
        ProcessBuilder builder = new ProcessBuilder(command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment()
                .put("PURSER_HOME", folder.resolveSibling("rehearsal").toString());
        if (builder.start().waitFor() != 0) {
            throw new IOException(builder.command() + " failed:\n" + Files.readString(log));
        }
    }

    /** The command that starts the service, with these options of Java. */
    public List<String> start(String... options) {
        List<String> command = command(options);
        command.addAll(List.of("-XX:AOTCache=" + archive, "-jar", "" + jar));
        return command;
    }

    private static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of(arguments));
        return command;
    }
}
