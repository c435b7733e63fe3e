package dev.purser.dataset.parser;

import dev.purser.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Shuts this process in, for good, from the inside: the part of the jail that only the process itself can build. From then on
 * the calling thread and all that it starts
 *
 * <ul>
 *   <li>reach no file but one that is named, and that only to read it, and open no TCP connection and no named socket of the
 *       host (Landlock, Linux 5.13; connections 6.7; abstract sockets and signals 6.12),
 *   <li>gain no privilege by running another program,
 * </ul>
 *
 * and the whole process makes no file longer and has hardly any file descriptor left to open anything with.
 *
 * <p>Landlock is not there on every kernel: whether the jail holds is found out by trying it, not by asking for its parts.
 */
final class Confinement {
    // linux/landlock.h. The numbers of the three system calls are the same on every architecture.
    private static final long CREATE_RULESET = 444;
    private static final long ADD_RULE = 445;
    private static final long RESTRICT_SELF = 446;
    private static final int ASK_VERSION = 1;
    private static final int RULE_PATH_BENEATH = 1;
    private static final long READ_FILE = 1 << 2;
    private static final long[] FILE_RIGHTS_OF_VERSION = {0, 0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF};
    private static final long TCP_BIND_AND_CONNECT = 3;
    private static final int TCP_SINCE = 4;
    private static final long ABSTRACT_SOCKETS_AND_SIGNALS = 3;
    private static final int SCOPES_SINCE = 6;

    // linux/prctl.h, asm-generic/resource.h, fcntl.h
    private static final int SET_NO_NEW_PRIVILEGES = 38;
    private static final int LIMIT_FILE_SIZE = 1;
    private static final int LIMIT_OPEN_FILES = 7;
    private static final int OPEN_AS_PATH = 010000000;

    /** What a reader of the one file opens: the file, more than once. */
    private static final int SPARE_DESCRIPTORS = 4;

    private static final Libc SYSCALL = Libc.function("syscall");
    private static final Libc PRCTL = Libc.function("prctl");
    private static final Libc SET_LIMIT = Libc.function("setrlimit");
    private static final Libc OPEN = Libc.function("open");

    private Confinement() {}

    /** Loads what {@link #apply} needs, while nobody waits. */
    static void rehearse() throws IOException {
        highestDescriptor();
        SYSCALL.call(CREATE_RULESET, 0, 0, ASK_VERSION);
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(JAVA_LONG, 2).setAtIndex(JAVA_LONG, 0, 0);
        }
    }

    /**
     * @param readable the one file that may still be opened, or null
     * @throws IOException if the operating system refuses a part that it knows
     */
    static void apply(@Nullable Path readable) throws IOException {
        // Looked up while it can be.
        long openFiles = highestDescriptor() + 1 + (readable == null ? 0 : SPARE_DESCRIPTORS);
        try (Arena arena = Arena.ofConfined()) {
            PRCTL.require(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0);
            restrict(arena, readable);
            limit(arena, LIMIT_FILE_SIZE, 0);
            limit(arena, LIMIT_OPEN_FILES, openFiles);
        }
    }

    private static void restrict(Arena arena, @Nullable Path readable) throws IOException {
        int version = SYSCALL.call(CREATE_RULESET, 0, 0, ASK_VERSION);
        if (version < 1) {
            return;
        }
        // struct landlock_ruleset_attr; a kernel that knows fewer of its fields wants a shorter one.
        MemorySegment attributes = arena.allocate(JAVA_LONG, 3);
        attributes.setAtIndex(
                JAVA_LONG, 0, FILE_RIGHTS_OF_VERSION[Math.min(version, FILE_RIGHTS_OF_VERSION.length - 1)]);
        attributes.setAtIndex(JAVA_LONG, 1, TCP_BIND_AND_CONNECT);
        attributes.setAtIndex(JAVA_LONG, 2, ABSTRACT_SOCKETS_AND_SIGNALS);
        long size = JAVA_LONG.byteSize() * (version >= SCOPES_SINCE ? 3 : version >= TCP_SINCE ? 2 : 1);
        int ruleset = SYSCALL.require(CREATE_RULESET, attributes.address(), size, 0);
        if (readable != null) {
            permitReading(arena, ruleset, readable);
        }
        SYSCALL.require(RESTRICT_SELF, ruleset, 0);
    }

    private static void permitReading(Arena arena, int ruleset, Path file) throws IOException {
        int descriptor = OPEN.require(arena.allocateFrom(file.toString()).address(), OPEN_AS_PATH);
        // struct landlock_path_beneath_attr, packed: the right, then the descriptor
        MemorySegment rule = arena.allocate(JAVA_LONG.byteSize() + JAVA_INT.byteSize(), JAVA_LONG.byteAlignment());
        rule.set(JAVA_LONG, 0, READ_FILE);
        rule.set(JAVA_INT, JAVA_LONG.byteSize(), descriptor);
        SYSCALL.require(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule.address(), 0);
    }

    private static void limit(Arena arena, int resource, long most) throws IOException {
        MemorySegment softAndHard = arena.allocate(JAVA_LONG, 2);
        softAndHard.setAtIndex(JAVA_LONG, 0, most);
        softAndHard.setAtIndex(JAVA_LONG, 1, most);
        SET_LIMIT.require(resource, softAndHard.address());
    }

    private static long highestDescriptor() throws IOException {
        Path own = Path.of("/proc/self/fd");
        if (!Files.isReadable(own)) {
            return 0;
        }
        try (Stream<Path> descriptors = Files.list(own)) {
            return descriptors
                    .mapToLong(each -> Long.parseLong(each.getFileName().toString()))
                    .max()
                    .orElse(2);
        }
    }
}
