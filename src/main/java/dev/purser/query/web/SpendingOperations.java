package dev.purser.query.web;

import dev.purser.query.AnswerEnvelope;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;

/**
 * Describes what all spending operations share: the fields of every question, the {@code Idempotency-Key}, the headers of the reply, and an envelope whose
 * {@code answer} is the kind's own, one schema per kind ({@code MeanAnswer}, {@code CountAnswer} …).
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class SpendingOperations implements GlobalOperationCustomizer, OpenApiCustomizer {
    private static final String REFERENCE = "#/components/schemas/";

    private final Map<String, Class<?>> answers = new LinkedHashMap<>();

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        Spends spends = handler.getMethodAnnotation(Spends.class);
        if (spends == null) {
            return operation;
        }
        String schema = operation.getOperationId().replaceFirst("^ask", "") + "Answer";
        answers.put(schema, spends.answer());
        operation.addParametersItem(new HeaderParameter()
                .name(IdempotencyKeys.HEADER)
                .required(false)
                .description(
                        "1 to 255 visible ASCII characters. The same key with the same body gets the same answer, byte"
                                + " for byte, and no second charge. Without one, the service makes one and returns it.")
                .example("monday-report-1")
                .schema(text()));
        operation
                .getResponses()
                .addApiResponse(
                        "200",
                        new ApiResponse()
                                .description("The answer, as stored in the ledger.")
                                .content(new Content()
                                        .addMediaType(
                                                org.springframework.http.MediaType.APPLICATION_JSON_VALUE,
                                                new MediaType().schema(new JsonSchema().$ref(REFERENCE + schema))))
                                .addHeaderObject(
                                        IdempotencyKeys.HEADER,
                                        new Header()
                                                .description("The request's key, or the one made for it.")
                                                .schema(text()))
                                .addHeaderObject(
                                        "Idempotency-Replayed",
                                        new Header()
                                                .description("`true` when the answer was stored before this request.")
                                                .schema(text())));
        return operation;
    }

    @Override
    public void customise(io.swagger.v3.oas.models.OpenAPI api) {
        Components components = api.getComponents();
        Schema<?> common = Described.add(components, CommonRequest.class);
        components.getSchemas().remove(common.getName());
        answers.keySet().forEach(answer -> {
            Schema<?> question =
                    Objects.requireNonNull(components.getSchemas().get(answer.replaceFirst("Answer$", "Question")));
            Map<String, Schema> fields = new LinkedHashMap<>(common.getProperties());
            if (question.getProperties() != null) {
                fields.putAll(question.getProperties());
            }
            question.setProperties(fields);
            common.getRequired().forEach(question::addRequiredItem);
        });
        Schema<?> envelope = Described.add(components, AnswerEnvelope.class);
        answers.forEach((name, type) -> {
            Schema<?> answer = Described.add(components, type);
            JsonSchema schema = new JsonSchema();
            schema.setTypes(Set.of("object"));
            envelope.getProperties().forEach(schema::addProperty);
            schema.addProperty("answer", new JsonSchema().$ref(REFERENCE + answer.getName()));
            schema.setRequired(envelope.getProperties().keySet().stream().toList());
            components.addSchemas(name, schema);
        });
    }

    private static Schema<?> text() {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of("string"));
        return schema;
    }
}
