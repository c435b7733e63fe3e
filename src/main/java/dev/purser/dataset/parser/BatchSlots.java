package dev.purser.dataset.parser;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Memory that a parser and the service share: batches go through it without a copy into the kernel and one out of it, which take longer than
 * all else that a parser does with a Parquet file. It is a file that both have mapped, and that has no name any more once they have.
 *
 * <pre>
 * 64 bytes    a count, written by the service: how many batches it has taken
 * {@link #SLOTS} times {@link #SLOT_BYTES}
 *             one batch each, in turn, written by the parser
 * </pre>
 *
 * Neither trusts the other with more than the bytes: the service copies a batch before it looks at it, and takes its length from elsewhere.
 */
public final class BatchSlots {
    public static final int SLOTS = 32;
    /** Enough for the numbers and places of a batch's fields and for some long texts. */
    public static final int SLOT_BYTES = 1 << 19;

    private static final int HEAD_BYTES = 64;
    /** Of the file. */
    public static final long BYTES = HEAD_BYTES + (long) SLOTS * SLOT_BYTES;

    private static final int ZEROS = 1 << 17;
    private static final VarHandle TAKEN = JAVA_LONG.varHandle();

    private final MemorySegment memory;

    private BatchSlots(MemorySegment memory) {
        this.memory = memory;
    }

    /** Makes {@code file}, which does not exist, and maps it until {@code arena} is closed. */
    public static BatchSlots create(Path file, Arena arena) throws IOException {
        // All of it: what a full disk has no room for is told here, and not where the memory is first touched.
        try (OutputStream all = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            byte[] zeros = new byte[ZEROS];
            for (long left = BYTES; left > 0; left -= zeros.length) {
                all.write(zeros, 0, (int) Math.min(zeros.length, left));
            }
        }
        return map(file, arena);
    }

    /** Maps {@code file}, which has {@link #BYTES} bytes, until {@code arena} is closed. */
    public static BatchSlots map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new BatchSlots(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena));
        }
    }

    /** Maps {@code file}, which has {@link #BYTES} bytes, for as long as this process lives. */
    static BatchSlots mapForGood(Path file) throws IOException {
        return new BatchSlots(ofOneKind(map(file, Arena.global()).memory));
    }

    /** Has Java load what maps a file: what was compiled before that would be thrown away. */
    static void rehearse(Path anyFile) throws IOException {
        try (FileChannel channel = FileChannel.open(anyFile);
                Arena arena = Arena.ofConfined()) {
            channel.map(FileChannel.MapMode.READ_ONLY, 0, 1, arena);
        }
    }

    /** Slots that nobody takes batches from, and that are never full: to rehearse with, until {@code arena} is closed. */
    static BatchSlots unshared(Arena arena) {
        BatchSlots slots = new BatchSlots(ofOneKind(arena.allocate(BYTES, Long.BYTES)));
        slots.take(Long.MAX_VALUE >> 1);
        return slots;
    }

    /** The same memory, for which Java has a class of its own if it is mapped: what was compiled for one would not do for the other. */
    private static MemorySegment ofOneKind(MemorySegment memory) {
        return MemorySegment.ofAddress(memory.address()).reinterpret(memory.byteSize());
    }

    /** The place of a batch. */
    public MemorySegment slot(long batch) {
        return memory.asSlice(HEAD_BYTES + batch % SLOTS * SLOT_BYTES, SLOT_BYTES);
    }

    /** How many batches the service says that it has taken. */
    public long taken() {
        return (long) TAKEN.getAcquire(memory, 0L);
    }

    /** Gives the places of the first so many batches back. */
    public void take(long batches) {
        TAKEN.setRelease(memory, 0L, batches);
    }
}
