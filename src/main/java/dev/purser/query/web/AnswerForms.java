package dev.purser.query.web;

import dev.purser.http.CsvTable;
import dev.purser.http.HandlerArguments;
import dev.purser.http.TypedArgument;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.ServletWebRequest;

/** The forms in which a stored answer is sent: its bytes as they are, and as CSV where it is a table. */
@Component
final class AnswerForms extends TypedArgument<AnswerForms.Chosen> {
    private static final HeaderContentNegotiationStrategy ACCEPT = new HeaderContentNegotiationStrategy();

    AnswerForms() {
        super(Chosen.class);
    }

    /** The form that a request prefers, among the forms of answers to its kind of question. */
    record Chosen(MediaType type) {}

    @Override
    protected Chosen of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter)
            throws HttpMediaTypeNotAcceptableException {
        return new Chosen(chosen(
                request, HandlerArguments.of(request).get(QuestionKind.class).name()));
    }

    /**
     * The form that the request prefers, among the forms of answers to this kind of question.
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
