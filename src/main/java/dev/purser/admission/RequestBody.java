package dev.purser.admission;

import dev.purser.json.Text;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;

/** Reads the bytes of a request body: up to a limit, within the memory of all bodies, and within a time limit. */
final class RequestBody {
    private static final int FIRST_BYTES = 1 << 13;

    private static final long BYTES_PER_SECOND = 1 << 18;

    private final InputStream in;
    private final long announced;
    private final int maxBytes;
    private final BodyBytes.Lease small;
    private final BodyBytes.Lease large;
    private final Duration patience;
    private final long begun = System.nanoTime();
    private long waitedNanos;

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
     * @param small grows with a body of at most {@link AdmissionControl#SMALL_BYTES}
     * @param large grows with a body of more
     * @param patience how long it waits for memory, and for the sender, who has a second more for each
     *     {@link #BYTES_PER_SECOND} that arrived
     * @throws ProblemException {@link ProblemType#PAYLOAD_TOO_LARGE} above {@code maxBytes};
     *     {@link ProblemType#UNSUPPORTED_MEDIA_TYPE} for a body with a content coding;
     *     {@link ProblemType#REQUEST_TIMEOUT} if it does not arrive in time;
     *     {@link ProblemType#TEMPORARILY_UNAVAILABLE} if there is no memory for it
     * @throws IOException if the client stops sending
     */
    static byte[] read(
            HttpServletRequest request, int maxBytes, BodyBytes.Lease small, BodyBytes.Lease large, Duration patience)
            throws IOException {
        requireIdentity(request);
        RequestBody body = new RequestBody(
                request.getInputStream(), request.getContentLengthLong(), maxBytes, small, large, patience);
        body.requireSize(body.announced);
        return body.read();
    }

    /** Reads a part of a body, as {@link #read} reads a whole one. */
    static byte[] readPart(
            LineParts part, int maxBytes, BodyBytes.Lease small, BodyBytes.Lease large, Duration patience)
            throws IOException {
        return new RequestBody(part, -1, maxBytes, small, large, patience).read();
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

    private byte[] read() throws IOException {
        byte[] buffer = grown(new byte[0]);
        int length = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer, length, buffer.length - length)) {
            length += read;
            requireSize(length);
            if (isLate(length)) {
                throw ProblemException.of(ProblemType.REQUEST_TIMEOUT, "the body did not arrive in time");
            }
            if (length == buffer.length) {
                buffer = grown(buffer);
            }
        }
        return length == buffer.length ? buffer : Arrays.copyOf(buffer, length);
    }

    /** One byte more than announced, or than permitted, shows the end of the body without another copy. */
    private byte[] grown(byte[] buffer) {
        long most = 1 + (announced < 0 ? maxBytes : announced);
        int capacity = (int) Math.min(most, Math.max(FIRST_BYTES, 2L * buffer.length));
        BodyBytes.Lease memory = capacity <= AdmissionControl.SMALL_BYTES + 1 ? small : large;
        long before = System.nanoTime();
        if (!memory.grow(capacity - buffer.length, patience.minusNanos(waitedNanos))) {
            throw AdmissionControl.busy();
        }
        waitedNanos += System.nanoTime() - before;
        return Arrays.copyOf(buffer, capacity);
    }

    /** What was spent waiting for memory is not the sender's. */
    private boolean isLate(int arrived) {
        long nanos = System.nanoTime() - begun - waitedNanos;
        return nanos > patience.plusSeconds(arrived / BYTES_PER_SECOND).toNanos();
    }
}
