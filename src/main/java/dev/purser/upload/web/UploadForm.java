package dev.purser.upload.web;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.upload.UploadFormat;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;

/**
 * What an upload says of its own form. Bytes of another character set or coding could be read as other rows than were
 * meant, so they are refused before any is read.
 */
final class UploadForm {
    static final String CSV = "text/csv";
    static final String PARQUET = "application/vnd.apache.parquet";

    private UploadForm() {}

    /** @throws ProblemException {@code unsupported-media-type} */
    static UploadFormat of(HttpServletRequest request) {
        MediaType type = MediaType.parseMediaType(request.getContentType());
        Charset charset = type.getCharset();
        if (charset != null && !charset.equals(StandardCharsets.UTF_8) && !charset.equals(StandardCharsets.US_ASCII)) {
            throw ProblemException.of(
                            ProblemType.UNSUPPORTED_MEDIA_TYPE,
                            "Content-Type must be text/csv in UTF-8; send it as that")
                    .withHeader("Accept", CSV);
        }
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw ProblemException.of(
                    ProblemType.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding must be identity; send the body as it is");
        }
        return type.isCompatibleWith(MediaType.parseMediaType(PARQUET)) ? UploadFormat.PARQUET : UploadFormat.CSV;
    }
}
