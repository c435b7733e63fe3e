package dev.purser.query.web;

import dev.purser.http.TypedArgument;
import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;

/** The kind of question that a path names. */
@Component
final class KindArgument extends TypedArgument<QuestionKind> {
    KindArgument() {
        super(QuestionKind.class);
    }

    @Override
    protected QuestionKind of(HttpServletRequest request, HttpServletResponse response, MethodParameter parameter) {
        String name = inPath(request, "kind");
        return QuestionKinds.named(name).orElseThrow(() -> QuestionKinds.unknown(name));
    }
}
