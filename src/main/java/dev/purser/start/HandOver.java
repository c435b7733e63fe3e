package dev.purser.start;

import dev.purser.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Goes on as the same service from its {@link PreparedStart}, if there is one: the process stays, with its number, its
 * environment, its streams and its limits; the program in it begins anew ({@code execve}), with the same options of Java and the
 * same arguments. What it gains is time; where anything is missing or unusual, it does nothing and the start takes longer.
 *
 * <p>Needs the {@code /proc} of Linux.
 */
public final class HandOver {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final Path PROGRAM = Path.of("/proc/self/exe");

    /** Options that would run an agent twice, or that say themselves where classes come from. */
    private static final List<String> NOT_WITH = List.of("-javaagent:", "-agent", "-XX:AOT", "-XX:Shared", "-Xshare:");

    /** The number of {@code close_range} everywhere; kernels and C libraries of before 2021 do not have it. */
    private static final int CLOSE_RANGE = 436;

    private static final int FIRST_AFTER_STANDARD_STREAMS = 3;
    private static final long LAST = 0xffff_ffffL;
    private static final int CLOSE_ON_EXECUTE = 4;

    private HandOver() {}

    /** Does not return if the service goes on from its prepared start. */
    public static void toPreparedStart() {
        try {
            Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
            if (Files.exists(COMMAND_LINE)
                    && Files.exists(PreparedStart.beside(jar).folder())) {
                Optional<List<String>> command = command(commandLine(), PreparedStart.beside(jar));
                if (command.isPresent() && PreparedStart.beside(jar).isComplete()) {
                    become(Files.readSymbolicLink(PROGRAM), command.get());
                }
            }
        } catch (IOException unreadable) {
            // As if nothing were prepared.
        }
    }

    /**
     * The command that starts from the parts what {@code given} starts from the jar of the build.
     *
     * @return nothing if {@code given} does not start that jar, or has options that do not go with an archive of classes
     */
    static Optional<List<String>> command(List<String> given, PreparedStart prepared) {
        int option = given.indexOf("-jar");
        if (option < 1
                || option + 1 == given.size()
                || !Path.of(given.get(option + 1)).toAbsolutePath().equals(prepared.packaged())) {
            return Optional.empty();
        }
        for (String word : given.subList(1, option)) {
            for (String prefix : NOT_WITH) {
                if (word.startsWith(prefix)) {
                    return Optional.empty();
                }
            }
        }
        List<String> command = new ArrayList<>(given);
        command.set(option + 1, prepared.jar().toString());
        command.add(option, "-XX:AOTCache=".concat(prepared.archive().toString()));
        return Optional.of(command);
    }

    private static List<String> commandLine() throws IOException {
        String words = new String(Files.readAllBytes(COMMAND_LINE), ofTheSystem());
        return List.of(words.substring(0, words.length() - 1).split("\0", -1));
    }

    /** Returns only if the system refuses. */
    private static void become(Path program, List<String> command) {
        Libc systemCall = Libc.function("syscall");
        Libc execute = Libc.function("execv");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment words = arena.allocate(ValueLayout.ADDRESS, command.size() + 1L);
            for (int i = 0; i < command.size(); i++) {
                words.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(command.get(i), ofTheSystem()));
            }
            words.setAtIndex(ValueLayout.ADDRESS, command.size(), MemorySegment.NULL);
            // Not all that Java holds open is marked so; a lock of it would outlast it.
            systemCall.call(CLOSE_RANGE, FIRST_AFTER_STANDARD_STREAMS, LAST, CLOSE_ON_EXECUTE);
            execute.call(arena.allocateFrom(program.toString(), ofTheSystem()).address(), words.address());
        }
    }

    /** The encoding of file names and of the command line. */
    private static Charset ofTheSystem() {
        return Charset.forName(System.getProperty("sun.jnu.encoding"));
    }
}
