package dev.purser.cli;

import dev.purser.start.DriverLibrary;
import dev.purser.start.Preparation;
import dev.purser.start.PreparedStart;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lays the packaged service out for quick starts: {@link PreparedStart}. */
@Command(
        name = "prepare",
        mixinStandardHelpOptions = true,
        description =
                "Prepares quick starts: unpacks the jar and archives the classes that a start loads, once for each"
                        + " build of the service and of Java. Starts of the jar find the folder beside it by themselves.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:prepared", "1:not prepared; why is said", "2:wrong usage"})
public final class Prepare implements Callable<Integer> {
    @Parameters(
            paramLabel = "FOLDER",
            arity = "0..1",
            description =
                    "Where to; what was prepared there before is replaced. Without it, purser-prepared beside purser.jar.")
    private @Nullable Path folder;

    private Prepare() {}

    /**
     * Runs the command.
     *
     * @param arguments its own name, and what follows it
     * @return the exit code
     */
    public static int run(String... arguments) {
        return new CommandLine(new Prepare()).execute(Arrays.copyOfRange(arguments, 1, arguments.length));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String own = Objects.requireNonNull(Prepare.class.getResource("Prepare.class"))
                .toString();
        if (!own.startsWith("jar:nested:")) {
            System.err.println("Only the jar of the build can be prepared, and this is not it.");
            return 1;
        }
        Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        PreparedStart start = folder == null
                ? PreparedStart.beside(jar)
                : new PreparedStart(jar, folder.toAbsolutePath().normalize());
        Path rehearsal = Files.createTempDirectory("purser-rehearsal");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(rehearsal)));
        try {
            prepare(start, rehearsal);
            System.out.println("Prepared in " + start.folder());
            return 0;
        } catch (FileSystemException refused) {
            System.err.println("Not prepared: " + refused);
            return 1;
        } catch (FailedCommand failed) {
            System.err.println(failed.getMessage());
            return 1;
        }
    }

    /** However this process ends, if it is told so. */
    private static void end(Path rehearsal) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            FileSystemUtils.deleteRecursively(rehearsal);
        } catch (IOException e) {
            System.err.println(rehearsal + " could not be deleted");
        }
    }

    /** Unpacks, and has the service live once, shortly, on a home of its own. */
    private static void prepare(PreparedStart start, Path rehearsal) throws IOException, InterruptedException {
        try (Preparation preparation = Preparation.begin(start)) {
            java(
                    rehearsal,
                    "-Djarmode=tools",
                    "-jar",
                    start.packaged(),
                    "extract",
                    "--force",
                    "--destination",
                    start.folder());
            DriverLibrary.takeOut(start.libraries());
            java(
                    rehearsal,
                    "-XX:AOTCacheOutput=" + start.archive(),
                    "-Djava.io.tmpdir=" + rehearsal,
                    "-jar",
                    start.jar(),
                    "rehearse",
                    rehearsal.resolve("home"));
            preparation.complete();
        }
    }

    /** In an empty folder, and without the environment, which may name the ledger of a service at work. */
    private static void java(Path folder, Object... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        File said = folder.resolve("said").toFile();
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said);
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        if (builder.start().waitFor() != 0) {
            throw new FailedCommand(String.join(" ", command) + " failed:\n" + Files.readString(said.toPath()));
        }
    }

    private static final class FailedCommand extends IOException {
        private static final long serialVersionUID = 1;

        FailedCommand(String message) {
            super(message);
        }
    }
}
