package dev.purser.json;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The bytes of a request body, up to a limit. */
public final class RawBody {
    private RawBody() {}

    /**
     * Reads the whole body. A body whose Content-Length is too large is refused before a byte of it is read. A body
     * without Content-Length is counted while it is read.
     *
     * @throws ProblemException {@link ProblemType#PAYLOAD_TOO_LARGE} above {@code maxBytes};
     *     {@link ProblemType#UNSUPPORTED_MEDIA_TYPE} for a body with a content coding
     * @throws IOException if the client stops sending
     */
    public static byte[] read(HttpServletRequest request, int maxBytes) throws IOException {
        return begin(request, maxBytes, 0).whole();
    }

    /**
     * Reads the beginning of a body, so that memory can be reserved for the rest before it is read.
     *
     * @param firstBytes the number of bytes to read at most; one more byte is read to detect a rest
     * @throws ProblemException as {@link #read}
     * @throws IOException if the client stops sending
     */
    public static Beginning begin(HttpServletRequest request, int maxBytes, int firstBytes) throws IOException {
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Encoding must be identity, was " + Text.quoted(coding) + "; send the body as it is");
        }
        if (request.getContentLengthLong() > maxBytes) {
            throw tooLarge(maxBytes);
        }
        byte[] first = request.getInputStream().readNBytes(Math.min(firstBytes, maxBytes) + 1);
        long announced = request.getContentLengthLong();
        return new Beginning(
                request.getInputStream(),
                first,
                first.length <= firstBytes,
                announced < 0 ? maxBytes : (int) announced,
                maxBytes);
    }

    /**
     * The beginning of a body.
     *
     * @param isWhole whether the body has no further bytes
     * @param mostBytes the largest length of the whole: the Content-Length, or the limit without one
     */
    public record Beginning(InputStream rest, byte[] first, boolean isWhole, int mostBytes, int maxBytes) {
        /**
         * Reads the whole body; can be called once.
         *
         * @throws ProblemException {@link ProblemType#PAYLOAD_TOO_LARGE}
         * @throws IOException if the client stops sending
         */
        public byte[] whole() throws IOException {
            byte[] more = isWhole ? new byte[0] : rest.readNBytes(maxBytes - first.length + 1);
            if (first.length + more.length > maxBytes) {
                throw tooLarge(maxBytes);
            }
            byte[] body = Arrays.copyOf(first, first.length + more.length);
            System.arraycopy(more, 0, body, first.length, more.length);
            return body;
        }
    }

    private static ProblemException tooLarge(int maxBytes) {
        return ProblemException.of(
                ProblemType.PAYLOAD_TOO_LARGE, "the body must have at most " + maxBytes + " bytes, this one has more");
    }
}
