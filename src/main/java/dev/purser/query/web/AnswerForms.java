package dev.purser.query.web;

import dev.purser.json.CsvTable;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.ServletWebRequest;

/** The forms in which a stored answer is sent: its bytes as they are, and as CSV where it is a table. */
final class AnswerForms {
    private static final HeaderContentNegotiationStrategy ACCEPT = new HeaderContentNegotiationStrategy();

    private AnswerForms() {}

    /**
     * The form that the request prefers of those that the answers of a kind have.
     *
     * @throws HttpMediaTypeNotAcceptableException if it accepts none of them
     */
    static MediaType chosen(HttpServletRequest request, String kind) throws HttpMediaTypeNotAcceptableException {
        boolean isTable = QuestionKinds.named(kind).flatMap(QuestionKind::table).isPresent();
        List<MediaType> offered = isTable
                ? List.of(MediaType.APPLICATION_JSON, CsvTable.MEDIA_TYPE)
                : List.of(MediaType.APPLICATION_JSON);
        return ACCEPT.resolveMediaTypes(new ServletWebRequest(request)).stream()
                .filter(accepted -> accepted.getQualityValue() > 0)
                .flatMap(accepted -> offered.stream().filter(accepted::includes))
                .findFirst()
                .orElseThrow(() -> new HttpMediaTypeNotAcceptableException(offered));
    }
}
