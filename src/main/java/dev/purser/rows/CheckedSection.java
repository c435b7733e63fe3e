package dev.purser.rows;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/** A mapped part of a {@link RowsFile}, which is held against its checksum before it is first read. */
final class CheckedSection {
    private static final int PIECE_BYTES = 1 << 16;

    private final MemorySegment segment;
    private final int checksum;
    private boolean verified;

    /** @param checksum CRC-32C */
    CheckedSection(MemorySegment segment, int checksum) {
        this.segment = segment;
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

    /**
     * Piece by piece in a copy. Where a mapped file was cut off, or its disk fails, copying throws an InternalError; the code that
     * computes checksums would bring the whole process down.
     */
    private long computed() {
        CRC32C computed = new CRC32C();
        byte[] piece = new byte[PIECE_BYTES];
        for (long at = 0; at < segment.byteSize(); at += PIECE_BYTES) {
            int bytes = (int) Math.min(PIECE_BYTES, segment.byteSize() - at);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, piece, 0, bytes);
            computed.update(piece, 0, bytes);
        }
        return computed.getValue();
    }
}
