package dev.purser.openapi;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.MediaType;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/** Keeps the examples of bodies that are text as text: springdoc makes an object of a text that is also JSON. */
@Component
final class TextExamples implements GlobalOperationCustomizer {
    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        if (operation.getRequestBody() != null && operation.getRequestBody().getContent() != null) {
            operation.getRequestBody().getContent().values().forEach(TextExamples::keepText);
        }
        return operation;
    }

    private static void keepText(MediaType media) {
        boolean isText = media.getSchema() != null
                && ("string".equals(media.getSchema().getType())
                        || media.getSchema().getTypes() != null
                                && media.getSchema().getTypes().contains("string"));
        if (isText && media.getExamples() != null) {
            media.getExamples().values().stream()
                    .filter(example -> example.getValue() != null)
                    .forEach(example -> example.setValue(example.getValue().toString()));
        }
    }
}
