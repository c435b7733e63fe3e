package dev.purser.dataset.jail;

import dev.purser.dataset.parser.ParseUpload;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What stands around a parser from outside, before it runs: the limits of the operating system, and a network of its own. The
 * rest of the jail the parser builds around itself once it is told what to read.
 */
enum Jail {
    /** Limits, and no way to any network: in a user namespace of its own, so that nobody has to be root. */
    OWN_NETWORK,
    /** Limits alone, where containers forbid namespaces: whether that is enough, the trial says. */
    LIMITS,
    /** A process like any other. */
    NONE;

    /** Of addresses, not of memory in use: what Java reserves counts as well. */
    static final long ADDRESS_BYTES = 1536L << 20;

    /** Far more than 100 million rows take. */
    static final int CPU_SECONDS = 3600;

    /** As much as the native library that is unpacked; from then on nothing may be written. */
    private static final long FILE_BYTES = 256L << 20;

    private static final int OPEN_FILES = 512;

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/bin:/bin", "LC_ALL", "C.UTF-8", "MALLOC_ARENA_MAX", "1");

    /** A virtual machine that is soon there and takes little: docs/adr/0024. */
    private static final List<String> JAVA = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx48m",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:ReservedCodeCacheSize=32m",
            "-XX:CompressedClassSpaceSize=32m",
            "-XX:MaxMetaspaceSize=64m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+DisableAttachMechanism",
            "-XX:-UsePerfData",
            // Standard output is for frames.
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-XX:ErrorFile=/dev/null");

    /** Starts a parser that waits for its order. Its folder is {@code folder}; it inherits nothing else. */
    Process start(Path folder) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command()).directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(ENVIRONMENT);
        return builder.start();
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        if (this != NONE) {
            command.addAll(List.of(
                    "prlimit",
                    "--as=" + ADDRESS_BYTES,
                    "--cpu=" + CPU_SECONDS,
                    "--fsize=" + FILE_BYTES,
                    "--nofile=" + OPEN_FILES,
                    "--core=0",
                    "--"));
        }
        if (this == OWN_NETWORK) {
            command.addAll(List.of("unshare", "--user", "--map-current-user", "--net", "--"));
        }
        command.addAll(JAVA);
        command.addAll(program());
        return command;
    }

    /** The same program as this process, from wherever it was started. */
    private static List<String> program() {
        URL own = Objects.requireNonNull(ParseUpload.class.getResource("ParseUpload.class"));
        String classPath = absolute(System.getProperty("java.class.path"));
        // The one jar of the build has its classes in a jar inside: its own launcher finds them there.
        String main = own.toString().startsWith("jar:nested:")
                ? "org.springframework.boot.loader.launch.JarLauncher"
                : "dev.purser.PurserApplication";
        return List.of("-cp", classPath, main, ParseUpload.COMMAND);
    }

    private static String absolute(String classPath) {
        List<String> entries = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            entries.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, entries);
    }
}
