package dev.purser.json;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The bytes of a request body, at most as many as permitted. */
public final class RawBody {
    private RawBody() {}

    /**
     * Reads the whole body. One that announces too many bytes is refused before a byte of it is read; one that announces
     * nothing is counted as it comes in.
     *
     * @throws ProblemException {@link ProblemType#PAYLOAD_TOO_LARGE} above {@code maxBytes}; {@link
     *     ProblemType#UNSUPPORTED_MEDIA_TYPE} for a body with a content coding
     * @throws IOException if the client stops sending
     */
    public static byte[] read(HttpServletRequest request, int maxBytes) throws IOException {
        return begin(request, maxBytes, 0).whole();
    }

    /**
     * Reads the beginning of a body, so that room can be found for the rest before it is read.
     *
     * @param firstBytes how many bytes to read at most, and one more to see whether there are more
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
     * @param isWhole whether there is no more
     * @param mostBytes how long the whole can be: as announced, or as permitted
     */
    public record Beginning(InputStream rest, byte[] first, boolean isWhole, int mostBytes, int maxBytes) {
        /**
         * The whole body, once.
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
