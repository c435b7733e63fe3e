package dev.purser;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The packaged service, extracted and with Java's AOT cache as in the image: its start takes half the processor time.
 * The first test that starts it makes it, once per build, in a folder beside the jar.
 */
public final class ExtractedJar {
    private ExtractedJar() {}

    /** The extracted jar. Its AOT cache lies beside it. */
    public static Path path() {
        return Made.JAR;
    }

    /** Where the AOT cache of a jar lies, if it has one. */
    static Path cacheOf(Path jar) {
        return jar.resolveSibling("purser.aot");
    }

    private static final class Made {
        private static final Path JAR =
                make(Path.of(System.getProperty("purser.jar")).toAbsolutePath());

        private static Path make(Path packaged) {
            Path folder = packaged.resolveSibling("service");
            Path extracted = folder.resolve(packaged.getFileName());
            Path cache = cacheOf(extracted);
            try (FileChannel lock = FileChannel.open(
                    Files.createDirectories(folder).resolve("lock"),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE)) {
                // Another process of this build may be making the cache.
                lock.lock();
                if (!isNewer(cache, packaged)) {
                    run(
                            folder,
                            "-Djarmode=tools",
                            "-jar",
                            packaged.toString(),
                            "extract",
                            "--force",
                            "--destination",
                            ".");
                    Path home = folder.resolve("home");
                    run(
                            folder,
                            "-XX:AOTCacheOutput=" + cache,
                            "-Dspring.context.exit=onRefresh",
                            "-Dserver.port=0",
                            "-Dpurser.home=" + home,
                            "-jar",
                            extracted.toString());
                }
                return extracted;
            } catch (IOException | InterruptedException failure) {
                throw new AssertionError(failure);
            }
        }

        private static boolean isNewer(Path cache, Path packaged) throws IOException {
            return Files.exists(cache)
                    && Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(packaged)) > 0;
        }

        private static void run(Path folder, String... arguments) throws IOException, InterruptedException {
            Path log = folder.resolve("log");
            List<String> command = ServiceProcess.java(arguments);
            int status = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IOException(String.join(" ", command) + " failed: " + Files.readString(log));
            }
        }
    }
}
