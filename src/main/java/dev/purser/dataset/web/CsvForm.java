package dev.purser.dataset.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;

/**
 * What an upload says of its own form. Bytes of another character set or coding could be read as other rows than were meant,
 * so they are refused before any is read.
 */
final class CsvForm {
    private CsvForm() {}

    /** @throws ProblemException {@code unsupported-media-type} */
    static void check(HttpServletRequest request) {
        Charset charset = MediaType.parseMediaType(request.getContentType()).getCharset();
        if (charset != null && !charset.equals(StandardCharsets.UTF_8) && !charset.equals(StandardCharsets.US_ASCII)) {
            throw ProblemException.of(
                            ProblemType.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Type must be text/csv in UTF-8; send it as that")
                    .withHeader("Accept", "text/csv");
        }
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding must be identity; send the body as it is");
        }
    }
}
