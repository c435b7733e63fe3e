package dev.purser.openapi;

import dev.purser.problem.ProblemType;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Describes the problem responses of every operation, each problem type with an example. */
final class ProblemResponses {
    private static final String SCHEMA = "Problem";
    private static final String REFERENCE = "#/components/schemas/" + SCHEMA;
    private static final String MEDIA_TYPE = "application/problem+json";

    private ProblemResponses() {}

    static void describeAll(OpenAPI api) {
        api.getComponents().addSchemas(SCHEMA, schema());
        Arrays.stream(ProblemType.values())
                .forEach(type -> api.getComponents().addExamples(type.slug(), example(type)));
        if (api.getPaths() == null) {
            return;
        }
        api.getPaths()
                .forEach((path, item) -> item.readOperationsMap()
                        .forEach((method, operation) ->
                                describe(operation, PossibleProblems.of(method, path, operation))));
    }

    private static void describe(Operation operation, Set<ProblemType> problems) {
        ApiResponses responses = operation.getResponses() == null ? new ApiResponses() : operation.getResponses();
        Map<Integer, List<ProblemType>> byStatus = new TreeMap<>();
        problems.forEach(type -> byStatus.merge(type.status(), List.of(type), ProblemResponses::joined));
        byStatus.forEach((status, types) -> responses.put(String.valueOf(status), response(status, types)));
        operation.setResponses(responses);
    }

    private static List<ProblemType> joined(List<ProblemType> some, List<ProblemType> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private static ApiResponse response(int status, List<ProblemType> types) {
        MediaType media = new MediaType().schema(new Schema<>().$ref(REFERENCE));
        types.forEach(
                type -> media.addExamples(type.slug(), new Example().$ref("#/components/examples/" + type.slug())));
        String titles =
                String.join("; or: ", types.stream().map(ProblemType::title).toList());
        ApiResponse response =
                new ApiResponse().description(titles).content(new Content().addMediaType(MEDIA_TYPE, media));
        headersOf(status)
                .forEach((name, description) -> response.addHeaderObject(
                        name, new Header().description(description).schema(new JsonSchema().types(Set.of("string")))));
        return response;
    }

    private static Map<String, String> headersOf(int status) {
        return switch (status) {
            case 401 -> Map.of("WWW-Authenticate", "Always Bearer.");
            case 405 -> Map.of("Allow", "The methods that are allowed here.");
            case 415 -> Map.of("Accept", "The media types that are accepted here.");
            case 429 -> Map.of("Retry-After", "Seconds to wait.");
            case 409, 503 -> Map.of("Retry-After", "Seconds to wait, where waiting helps.");
            default -> Map.of();
        };
    }

    private static Schema<?> schema() {
        Schema<?> amount = object("An exact privacy amount.", List.of("epsilon", "delta"))
                .addProperty("epsilon", text("Plain decimal.", "0.5"))
                .addProperty("delta", text("Plain decimal.", "0"));
        Schema<?> error = object(
                        "One broken rule; one of pointer, parameter and header gives its place.", List.of("detail"))
                .addProperty(
                        "pointer",
                        text("A JSON pointer (RFC 6901) into the body; empty for the whole.", "/queries/3/count"))
                .addProperty("parameter", text("The name of a query or path parameter.", "limit"))
                .addProperty("header", text("The name of a header field.", "Idempotency-Key"))
                .addProperty("detail", text("The rule and the value sent.", "epsilon must be at most 100, was 101"));
        JsonSchema errors = typed("array");
        errors.setItems(error);
        errors.setMaxItems(100);
        errors.setDescription("Every broken rule, at most 100.");
        JsonSchema status = typed("integer");
        status.setDescription("The HTTP status, repeated.");
        status.setExample(422);
        JsonSchema type =
                text("The problem type: the address of the page about it.", ProblemType.VALIDATION_FAILED.uri());
        type.setEnum(Arrays.stream(ProblemType.values())
                .map(ProblemType::uri)
                .map(Object.class::cast)
                .toList());
        JsonSchema scope = text("The budget that does not suffice, with budget-exhausted.", "dataset");
        scope.setEnum(List.of("dataset", "analyst"));
        return object("A refusal (RFC 9457).", List.of("type", "title", "status", "detail", "instance"))
                .addProperty("type", type)
                .addProperty("title", text("One fixed sentence for each type.", ProblemType.VALIDATION_FAILED.title()))
                .addProperty("status", status)
                .addProperty("detail", text("What is wrong with the request.", "epsilon must be at most 100, was 101"))
                .addProperty("instance", text("The path of the request.", "/v1/datasets/adult/queries/count"))
                .addProperty("errors", errors)
                .addProperty("requested", described(amount, "What the question needs, with budget-exhausted."))
                .addProperty("remaining", described(amount, "The remaining budget, with budget-exhausted."))
                .addProperty("shortfall", described(amount, "The missing budget, with budget-exhausted."))
                .addProperty("scope", scope)
                .addProperty(
                        "reference",
                        text("The reference in the service's log, with internal-error.", "5f2a9c0e1b7d4a36"))
                .addProperty(
                        "queryId",
                        text(
                                "The question that was charged and has no answer yet, with temporarily-unavailable.",
                                "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q"));
    }

    private static Schema<?> described(Schema<?> amount, String description) {
        Schema<?> copy = object(description, amount.getRequired());
        amount.getProperties().forEach(copy::addProperty);
        return copy;
    }

    private static JsonSchema object(String description, List<String> required) {
        JsonSchema schema = typed("object");
        schema.setDescription(description);
        schema.setRequired(required);
        return schema;
    }

    private static JsonSchema text(String description, String example) {
        JsonSchema schema = typed("string");
        schema.setDescription(description);
        schema.setExample(example);
        return schema;
    }

    private static JsonSchema typed(String type) {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        return schema;
    }

    private static Example example(ProblemType type) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("type", type.uri());
        value.put("title", type.title());
        value.put("status", type.status());
        value.put("detail", ProblemExamples.detailOf(type));
        value.put("instance", "/v1/datasets/adult/queries/count");
        value.putAll(ProblemExamples.membersOf(type));
        return new Example().summary(type.title()).value(value);
    }
}
