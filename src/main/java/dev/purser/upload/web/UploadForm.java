package dev.purser.upload.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.upload.UploadFormat;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * The form of an upload that its headers state. Bytes of another character set or coding could be read as wrong rows,
 * so such an upload is refused before a byte is read. A file that is announced to have no header line (RFC 4180) is
 * refused too. Other parameters are ignored, as RFC 2045 requires.
 */
final class UploadForm {
    static final String CSV = "text/csv";
    static final String PARQUET = "application/vnd.apache.parquet";

    /** A block of examples. Example files have no rows, because generators do not copy line breaks of examples well. */
    static final String A_DAY = "2026-03-02";

    static final String VISITS_OF_A_DAY = "day,ward";

    private UploadForm() {}

    /** @throws ProblemException {@code unsupported-media-type} */
    static UploadFormat of(HttpServletRequest request) {
        MediaType type = MediaType.parseMediaType(request.getContentType());
        Charset charset = type.getCharset();
        if (charset != null && !charset.equals(StandardCharsets.UTF_8) && !charset.equals(StandardCharsets.US_ASCII)) {
            throw ProblemException.of(
                            ProblemType.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Type must be text/csv in UTF-8; send it as that")
                    .offering(CSV);
        }
        boolean parquet = type.isCompatibleWith(MediaType.parseMediaType(PARQUET));
        String header = type.getParameter("header");
        if (!parquet && header != null && !header.replace("\"", "").equalsIgnoreCase("present")) {
            throw ProblemException.of(
                            ProblemType.UNSUPPORTED_MEDIA_TYPE,
                            "the first line must be a header: the parameter header of text/csv must be present,"
                                    + " if it is sent")
                    .offering(CSV);
        }
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding must be identity; send the body as it is");
        }
        return parquet ? UploadFormat.PARQUET : UploadFormat.CSV;
    }

    /**
     * A parameter that is true or false; false if it is not sent. Other texts are refused, because a file that was
     * meant to be checked would be loaded if such a text counted as false.
     *
     * @throws ProblemException {@code validation-failed}
     */
    static boolean flag(String name, @Nullable String sent) {
        if (sent != null && !sent.equals("true") && !sent.equals("false")) {
            throw ProblemException.validation(Violation.ofParameter(name, name + " must be true or false"));
        }
        return "true".equals(sent);
    }
}
