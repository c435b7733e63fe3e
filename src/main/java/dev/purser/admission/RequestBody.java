package dev.purser.admission;

import dev.purser.json.Text;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a request body. They are read up to a limit, within the memory of all bodies, and within a time limit.
 * They are kept in blocks until the work on them begins, because an array that grows would be in memory twice.
 */
final class RequestBody {
    private static final int FIRST_BYTES = 1 << 13;
    private static final int MOST_BYTES = 1 << 20;

    private static final long BYTES_PER_SECOND = 1 << 18;

    private final InputStream in;
    private final long announced;
    private final int maxBytes;
    private final BodyBytes.Lease small;
    private final BodyBytes.Lease large;
    private final Duration patience;
    private final long begun = System.nanoTime();
    private long waitedNanos;
    private final List<byte[]> blocks = new ArrayList<>();
    private int length;

    private RequestBody(
            InputStream in,
            long announced,
            int maxBytes,
            BodyBytes.Lease small,
            BodyBytes.Lease large,
            Duration patience) {
        this.in = in;
        this.announced = announced;
        this.maxBytes = maxBytes;
        this.small = small;
        this.large = large;
        this.patience = patience;
    }

    /**
     * Reads the whole body. A body whose Content-Length is too large is refused before a byte of it is read. A body
     * without Content-Length is counted while it is read.
     *
     * @param small the memory for a body of at most {@link AdmissionControl#SMALL_BYTES}
     * @param large the memory for a larger body
     * @param patience how long it waits for memory, and how long for the sender. The sender has one more second for
     *     each {@link #BYTES_PER_SECOND} bytes that arrived
     * @throws ProblemException {@link ProblemType#PAYLOAD_TOO_LARGE} above {@code maxBytes};
     *     {@link ProblemType#UNSUPPORTED_MEDIA_TYPE} for a body with a content coding;
     *     {@link ProblemType#REQUEST_TIMEOUT} if the body does not arrive in time;
     *     {@link ProblemType#TEMPORARILY_UNAVAILABLE} if there is no memory for it
     * @throws IOException if the client stops sending
     */
    static RequestBody read(
            HttpServletRequest request, int maxBytes, BodyBytes.Lease small, BodyBytes.Lease large, Duration patience)
            throws IOException {
        requireIdentity(request);
        RequestBody body = new RequestBody(
                request.getInputStream(), request.getContentLengthLong(), maxBytes, small, large, patience);
        body.requireSize(body.announced);
        return body.arrived();
    }

    /** Reads a part of a body, as {@link #read} reads a whole body. */
    static RequestBody readPart(
            LineParts part, int maxBytes, BodyBytes.Lease small, BodyBytes.Lease large, Duration patience)
            throws IOException {
        return new RequestBody(part, -1, maxBytes, small, large, patience).arrived();
    }

    static void requireIdentity(HttpServletRequest request) {
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Encoding must be identity, was " + Text.quoted(coding) + "; send the body as it is");
        }
    }

    private void requireSize(long bytes) {
        if (bytes > maxBytes) {
            throw ProblemException.of(
                    ProblemType.PAYLOAD_TOO_LARGE,
                    "the body must have at most " + maxBytes + " bytes, this one has more");
        }
    }

    private RequestBody arrived() throws IOException {
        byte[] block = next();
        int filled = 0;
        for (int read = in.read(block); read >= 0; read = in.read(block, filled, block.length - filled)) {
            filled += read;
            length += read;
            requireSize(length);
            if (isLate()) {
                throw ProblemException.of(ProblemType.REQUEST_TIMEOUT, "the body did not arrive in time");
            }
            if (filled == block.length) {
                block = next();
                filled = 0;
            }
        }
        return this;
    }

    /**
     * The next block. It has room for one byte more than is announced or permitted. If this byte does not arrive, the
     * body has ended, and no further block is needed.
     */
    private byte[] next() {
        long most = 1 + (announced < 0 ? maxBytes : announced) - length;
        long ofItsSize =
                length <= AdmissionControl.SMALL_BYTES ? AdmissionControl.SMALL_BYTES + 1L - length : MOST_BYTES;
        int bytes = (int) Math.min(Math.min(most, ofItsSize), Math.clamp(length, FIRST_BYTES, MOST_BYTES));
        BodyBytes.Lease memory = length + bytes <= AdmissionControl.SMALL_BYTES + 1 ? small : large;
        long before = System.nanoTime();
        if (!memory.grow(bytes, patience.minusNanos(waitedNanos))) {
            throw AdmissionControl.busy();
        }
        waitedNanos += System.nanoTime() - before;
        byte[] block = new byte[bytes];
        blocks.add(block);
        return block;
    }

    /** How many bytes the body has. */
    int length() {
        return length;
    }

    /** All bytes in one array, for the work on them. It is called once. */
    byte[] toArray() {
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] block : blocks) {
            int bytes = Math.min(block.length, length - at);
            System.arraycopy(block, 0, all, at, bytes);
            at += bytes;
        }
        blocks.clear();
        return all;
    }

    /** The time spent waiting for memory is not counted against the sender. */
    private boolean isLate() {
        long nanos = System.nanoTime() - begun - waitedNanos;
        return nanos > patience.plusSeconds(length / BYTES_PER_SECOND).toNanos();
    }
}
