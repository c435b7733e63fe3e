package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** A mapped part of a {@link RowsFile}, which is held against its checksum before it is first read. */
final class CheckedSection {
    private static final int PIECE_BYTES = 1 << 16;

    private final MemorySegment segment;
    private final Supplier<Stream<MemorySegment>> parts;
    private final int checksum;
    private boolean verified;

    /** @param checksum CRC-32C */
    CheckedSection(MemorySegment segment, int checksum) {
        this(segment, () -> Stream.of(segment), checksum);
    }

    /**
     * @param parts of the segment, those that are verified
     * @param checksum CRC-32C of them one after another
     */
    CheckedSection(MemorySegment segment, Supplier<Stream<MemorySegment>> parts, int checksum) {
        this.segment = segment;
        this.parts = parts;
        this.checksum = checksum;
    }

    /**
     * The bytes, verified.
     *
     * @throws IOException if they are not those that were written
     */
    synchronized MemorySegment verified() throws IOException {
        if (!verified) {
            if ((int) computed() != checksum) {
                throw new IOException("damaged rows");
            }
            verified = true;
        }
        return segment;
    }

    private long computed() {
        CRC32C computed = new CRC32C();
        byte[] piece = new byte[PIECE_BYTES];
        parts.get().forEach(part -> update(computed, part, piece));
        return computed.getValue();
    }

    /**
     * Piece by piece in a copy. Where a mapped file was cut off, or its disk fails, copying throws an InternalError; the code that
     * computes checksums would bring the whole process down.
     */
    private static void update(CRC32C checksum, MemorySegment part, byte[] piece) {
        for (long at = 0; at < part.byteSize(); at += PIECE_BYTES) {
            int bytes = (int) Math.min(PIECE_BYTES, part.byteSize() - at);
            MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, piece, 0, bytes);
            checksum.update(piece, 0, bytes);
        }
    }
}
