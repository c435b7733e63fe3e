package dev.purser.json;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

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
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Encoding must be identity, was " + Text.quoted(coding) + "; send the body as it is");
        }
        if (request.getContentLengthLong() > maxBytes) {
            throw tooLarge(maxBytes);
        }
        byte[] body = request.getInputStream().readNBytes(maxBytes);
        if (body.length == maxBytes && request.getInputStream().read() >= 0) {
            throw tooLarge(maxBytes);
        }
        return body;
    }

    private static ProblemException tooLarge(int maxBytes) {
        return ProblemException.of(
                ProblemType.PAYLOAD_TOO_LARGE, "the body must have at most " + maxBytes + " bytes, this one has more");
    }
}
