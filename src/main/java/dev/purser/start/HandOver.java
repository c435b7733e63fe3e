package dev.purser.start;

import dev.purser.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Goes on as the same service from its {@link PreparedStart}, if there is one: the process stays, with its number, its
 * environment, its limits and what it was given open; the program in it begins anew ({@code execve}), with the same options of Java and the
 * same arguments. What it gains is time; where anything is missing or unusual, it does nothing and the start takes longer.
 *
 * <p>Needs the {@code /proc} of Linux.
 */
public final class HandOver {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final Path PROGRAM = Path.of("/proc/self/exe");

    /** Options that act when Java starts and would act twice, that an archive of classes does not go with, or that hide others. */
    private static final List<String> NOT_WITH = List.of(
            "-javaagent:",
            "-agent",
            "-Xrun",
            "-Dcom.sun.management",
            "-XX:StartFlightRecording",
            "-XX:AOT",
            "-XX:Shared",
            "-XX:+AutoCreateSharedArchive",
            "-XX:ArchiveClassesAtExit",
            "-XX:DumpLoadedClassList",
            "-XX:+RecordDynamicDumpInfo",
            "-Xshare:",
            "-XX:+UseZGC",
            "-XX:+UseShenandoahGC",
            "--add-",
            "--limit-modules",
            "--patch-module",
            "--upgrade-module-path",
            "@",
            "-XX:Flags",
            "-XX:VMOptionsFile");

    private static final List<String> VARIABLES_WITH_OPTIONS =
            List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    /** For Java to begin its end, once a signal came: a guess that trials bear out (docs/adr/0027). */
    private static final long MILLIS_TO_NOTICE = 10;

    private HandOver() {}

    /** Does not return if the service goes on from its prepared start. */
    public static void toPreparedStart() {
        try {
            Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
            PreparedStart prepared = PreparedStart.beside(jar);
            if (Files.exists(COMMAND_LINE) && Files.exists(prepared.folder()) && !hasUnusualVariables()) {
                Optional<List<String>> command = command(commandLine(), prepared);
                if (command.isPresent() && prepared.isComplete()) {
                    become(Files.readSymbolicLink(PROGRAM), command.get());
                }
            }
        } catch (IOException | RuntimeException unusual) {
            // As if nothing were prepared.
        }
    }

    private static boolean hasUnusualVariables() {
        for (String variable : VARIABLES_WITH_OPTIONS) {
            String options = System.getenv(variable);
            if (options != null && isUnusual(List.of(options.strip().split("[\\s\"']+")))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnusual(List<String> options) {
        for (String option : options) {
            for (String prefix : NOT_WITH) {
                if (option.startsWith(prefix)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The command that starts from the parts what {@code given} starts from the jar of the build.
     *
     * @param given words as bytes, each in one character
     * @return nothing if {@code given} does not start that jar, or has options that do not go with an archive of classes
     */
    static Optional<List<String>> command(List<String> given, PreparedStart prepared) {
        int option = given.indexOf("-jar");
        if (option < 1
                || option + 1 == given.size()
                || !fromBytes(given.get(option + 1)).toAbsolutePath().equals(prepared.packaged())
                || isUnusual(given.subList(1, option))) {
            return Optional.empty();
        }
        List<String> command = new ArrayList<>(given);
        command.set(option + 1, asBytes(prepared.jar().toString()));
        command.add(option, asBytes("-XX:AOTCache=".concat(prepared.archive().toString())));
        return Optional.of(command);
    }

    private static List<String> commandLine() throws IOException {
        String words = new String(Files.readAllBytes(COMMAND_LINE), StandardCharsets.ISO_8859_1);
        return List.of(words.substring(0, words.length() - 1).split("\0", -1));
    }

    /** Returns only if the system refuses, or the process is about to end. */
    private static void become(Path program, List<String> command) {
        Libc execute = Libc.function("execv");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(asBytes(program.toString()), StandardCharsets.ISO_8859_1);
            MemorySegment words = arena.allocate(ValueLayout.ADDRESS, command.size() + 1L);
            for (int i = 0; i < command.size(); i++) {
                words.setAtIndex(
                        ValueLayout.ADDRESS, i, arena.allocateFrom(command.get(i), StandardCharsets.ISO_8859_1));
            }
            words.setAtIndex(ValueLayout.ADDRESS, command.size(), MemorySegment.NULL);
            TerminationSignals signals = new TerminationSignals(arena);
            signals.endAtOnce();
            if (!isEnding()) {
                execute.call(path.address(), words.address());
            }
            signals.restore();
        }
    }

    /** Whether a signal came that Java is still at work on: it would be forgotten. */
    private static boolean isEnding() {
        Thread hook = new Thread();
        try {
            Thread.sleep(MILLIS_TO_NOTICE);
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException ending) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static Path fromBytes(String word) {
        return Path.of(new String(word.getBytes(StandardCharsets.ISO_8859_1), ofTheSystem()));
    }

    private static String asBytes(String word) {
        return new String(word.getBytes(ofTheSystem()), StandardCharsets.ISO_8859_1);
    }

    /** The encoding of file names. */
    private static Charset ofTheSystem() {
        return Charset.forName(System.getProperty("sun.jnu.encoding"));
    }
}
