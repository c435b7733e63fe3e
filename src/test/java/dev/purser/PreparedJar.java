package dev.purser;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The packaged jar, laid out side by side with an archive of the classes that a start needs, by the commands of
 * docs/operating.md.
 */
public final class PreparedJar {
    private PreparedJar() {}

    /**
     * Prepares the jar of {@code -Dpurser.jar}.
     *
     * @param folder to be made; its parent has the log
     * @return the Java command that starts the service from it, and refuses an archive that does not fit
     */
    public static List<String> in(Path folder) throws IOException, InterruptedException {
        Path log = folder.resolveSibling("preparation.log");
        run(
                log,
                folder,
                "-Djarmode=tools",
                "-jar",
                System.getProperty("purser.jar"),
                "extract",
                "--destination",
                "" + folder);
        String jar = folder.resolve("purser.jar").toString();
        String archive = folder.resolve("purser.aot").toString();
        run(log, folder, "-XX:AOTCacheOutput=" + archive, "-Dspring.context.exit=onRefresh", "-jar", jar);
        return List.of(java(), "-XX:AOTMode=on", "-XX:AOTCache=" + archive, "-jar", jar);
    }

    private static void run(Path log, Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment()
                .put("PURSER_HOME", folder.resolveSibling("rehearsal").toString());
        if (builder.start().waitFor() != 0) {
            throw new IOException(command + " failed:\n" + Files.readString(log));
        }
    }

    private static String java() {
        return ProcessHandle.current().info().command().orElseThrow();
    }
}
