package dev.purser.query.web;

import dev.purser.query.QuestionKind;
import dev.purser.query.QuestionKinds;
import dev.purser.query.quote.Quote;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.PathParameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Describes one quoting operation for each kind of question ({@code quoteMean}, {@code quoteCount} …): what asking takes, with
 * {@code targetAlpha} in place of {@code epsilon} if that is wished for. Runs once the questions are described.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class QuoteOperations implements OpenApiCustomizer {
    private static final String REFERENCE = "#/components/schemas/";
    private static final String JSON = org.springframework.http.MediaType.APPLICATION_JSON_VALUE;

    @Override
    public void customise(OpenAPI api) {
        Operation template = Objects.requireNonNull(api.getPaths().remove(QuoteController.ONE_KIND))
                .getPost();
        Schema<?> quote = Described.add(api.getComponents(), Quote.class);
        Schema<?> fields = Described.add(api.getComponents(), QuoteFieldsRequest.class);
        api.getComponents().getSchemas().remove(fields.getName());
        List<Object> names = new ArrayList<>();
        List<Schema> requests = new ArrayList<>();
        for (QuestionKind kind : QuestionKinds.ALL) {
            Operation ask = Objects.requireNonNull(api.getPaths().get("/v1/datasets/{id}/queries/" + kind.name()))
                    .getPost();
            String name = ask.getOperationId().replaceFirst("^ask", "");
            String request = name + "QuoteRequest";
            api.getComponents().addSchemas(request, request(kind, name, fields, api.getComponents()));
            api.getPaths()
                    .addPathItem(
                            QuoteController.ONE_KIND.replace("{kind}", kind.name()),
                            new PathItem().post(operation(name, ask, template, request, quote)));
            names.add(kind.name());
            requests.add(new JsonSchema().$ref(REFERENCE + request));
        }
        Map<String, Schema> item = Objects.requireNonNull(
                        api.getComponents().getSchemas().get("PlanItem"))
                .getProperties();
        Objects.requireNonNull(item.get("kind")).setEnum(names);
        Objects.requireNonNull(item.get("request")).setAnyOf(requests);
    }

    private static Operation operation(
            String name, Operation ask, Operation template, String request, Schema<?> quote) {
        return new Operation()
                .operationId("quote" + name)
                .addTagsItem("Quotes")
                .summary("What would it cost, and how near would it come? " + ask.getSummary())
                .description("Takes the body of `" + ask.getOperationId()
                        + "`, or `targetAlpha` in place of `epsilon`. Spends nothing, sets nothing aside and reads no data.\n\n"
                        + template.getDescription())
                .extensions(template.getExtensions())
                .addParametersItem(new PathParameter().name("id").schema(text()))
                .requestBody(new RequestBody().required(true).content(json(new JsonSchema().$ref(REFERENCE + request))))
                .responses(new ApiResponses()
                        .addApiResponse(
                                "200",
                                new ApiResponse()
                                        .description("OK")
                                        .content(json(new JsonSchema().$ref(REFERENCE + quote.getName())))));
    }

    private static Content json(Schema<?> schema) {
        return new Content().addMediaType(JSON, new MediaType().schema(schema));
    }

    private static Schema<?> request(QuestionKind kind, String name, Schema<?> fields, Components components) {
        Schema<?> question = Objects.requireNonNull(components.getSchemas().get(name + "Question"));
        JsonSchema request = new JsonSchema();
        request.setTypes(Set.of("object"));
        request.setDescription("What `" + name + "Question` takes, with exactly one of `epsilon` and `targetAlpha`.");
        Map<String, Schema> properties = new LinkedHashMap<>(question.getProperties());
        properties.putAll(fields.getProperties());
        if (!kind.takesAssumedRows()) {
            properties.remove("assumedRows");
        }
        request.setProperties(properties);
        List<String> required = new ArrayList<>(question.getRequired());
        required.remove("epsilon");
        request.setRequired(required.isEmpty() ? null : required);
        return request;
    }

    private static Schema<?> text() {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of("string"));
        return schema;
    }
}
