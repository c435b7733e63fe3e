package dev.purser.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.purser.problem.ProblemType;
import io.swagger.v3.core.util.Json31;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the problem responses of every operation, each problem type with an example. */
final class ProblemResponses {
    private static final String SCHEMA = "Problem";
    private static final String VIOLATION = "Violation";
    private static final String AMOUNT = "StatedAmount";
    private static final String FREE_FROM = "FreeFrom";
    private static final String REFINES = "RefinesOffer";
    private static final String NEWEST = "NewestAnswer";
    private static final String KEY = "Idempotency-Key";
    private static final String MEDIA_TYPE = "application/problem+json";

    /** Statuses of refusals that return the idempotency key. */
    private static final Set<Integer> OF_A_READ_REQUEST = Set.of(400, 404, 408, 409, 413, 422, 429, 503);

    private ProblemResponses() {}

    static void describeAll(OpenAPI api) {
        api.getComponents()
                .addSchemas(SCHEMA, problem())
                .addSchemas(VIOLATION, violation())
                .addSchemas(NEWEST, newest());
        Arrays.stream(ProblemType.values())
                .forEach(type -> api.getComponents().addExamples(type.slug(), example(type)));
        if (api.getPaths() == null) {
            return;
        }
        api.getPaths().forEach((path, item) -> item.readOperations().forEach(operation -> describe(path, operation)));
    }

    private static void describe(String path, Operation operation) {
        ApiResponses responses = operation.getResponses() == null ? new ApiResponses() : operation.getResponses();
        Set<?> declared = DeclaredProblems.takenFrom(operation);
        Map<Integer, List<ProblemType>> byStatus = Arrays.stream(ProblemType.values())
                .filter(type -> switch (type.where()) {
                    case EVERYWHERE -> true;
                    case WITH_AN_ID -> path.contains("{");
                    case WITH_A_BODY -> operation.getRequestBody() != null;
                    case WHERE_DECLARED -> declared.contains(type);
                })
                .collect(Collectors.groupingBy(ProblemType::status, TreeMap::new, Collectors.toList()));
        boolean hasKey = operation.getParameters() != null
                && operation.getParameters().stream()
                        .anyMatch(parameter -> parameter.getName().equals(KEY));
        byStatus.forEach((status, types) -> {
            ApiResponse response = response(types);
            headersOf(status).forEach((name, description) -> addHeader(response, name, description));
            if (hasKey && OF_A_READ_REQUEST.contains(status)) {
                addHeader(response, KEY, "The request's key, or the one made for it, once the request is looked at.");
            }
            responses.put(String.valueOf(status), response);
        });
        operation.setResponses(responses);
    }

    private static ApiResponse response(List<ProblemType> types) {
        MediaType media = new MediaType().schema(reference(SCHEMA, null));
        types.forEach(
                type -> media.addExamples(type.slug(), new Example().$ref("#/components/examples/" + type.slug())));
        String titles = String.join(
                "; or: ",
                types.stream()
                        .map(type -> "[" + type.title() + "](" + type.uri() + ")")
                        .toList());
        return new ApiResponse().description(titles).content(new Content().addMediaType(MEDIA_TYPE, media));
    }

    private static void addHeader(ApiResponse response, String name, String description) {
        response.addHeaderObject(name, new Header().description(description).schema(typed("string", null)));
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

    private static Schema<?> problem() {
        JsonSchema errors = typed("array", "Every broken rule, at most 100.");
        errors.setItems(reference(VIOLATION, null));
        errors.setMaxItems(100);
        JsonSchema type =
                text("The problem type: the address of the page about it.", ProblemType.VALIDATION_FAILED.uri());
        type.setEnum(Arrays.stream(ProblemType.values())
                .map(ProblemType::uri)
                .map(Object.class::cast)
                .toList());
        JsonSchema notStored = typed(
                "array", "The places of the questions of a plan that are not stored, from 0, with nothing-stored.");
        notStored.setItems(integer("A place.", 1));
        JsonSchema scope = text("The budget that does not suffice, with budget-exhausted.", "dataset");
        scope.setEnum(List.of("dataset", "analyst"));
        return object("A refusal (RFC 9457).", List.of("type", "title", "status", "detail", "instance"))
                .addProperty("type", type)
                .addProperty("title", text("One fixed sentence for each type.", ProblemType.VALIDATION_FAILED.title()))
                .addProperty("status", integer("The HTTP status, repeated.", 422))
                .addProperty("detail", text("What is wrong with the request.", "epsilon must be at most 100, was 101"))
                .addProperty("instance", text("The path of the request.", "/v1/datasets/adult/queries/count"))
                .addProperty("errors", errors)
                .addProperty("requested", reference(AMOUNT, "What the question needs, with budget-exhausted."))
                .addProperty("remaining", reference(AMOUNT, "The remaining budget, with budget-exhausted."))
                .addProperty("shortfall", reference(AMOUNT, "The missing budget, with budget-exhausted."))
                .addProperty("scope", scope)
                .addProperty("moreErrors", integer("How many errors are not listed, with invalid-data.", 0))
                .addProperty("line", integer("With lines of reports, the line that is refused. The first is 1.", 17))
                .addProperty(
                        "accepted", integer("With lines of reports: how many of the lines before were counted.", 1000))
                .addProperty("duplicates", integer("With lines of reports: how many were counted earlier.", 0))
                .addProperty("charge", reference(AMOUNT, "What is not stored would be charged, with nothing-stored."))
                .addProperty("notStored", notStored)
                .addProperty(
                        "firstThatDoesNotFit",
                        integer(
                                "The place of the first question of a plan that does not fit, from 0, with"
                                        + " budget-exhausted.",
                                1))
                .addProperty(
                        "freeFrom",
                        orNull(
                                "The synopsis that answers the question for nothing, or null, with"
                                        + " budget-exhausted.",
                                reference(FREE_FROM, null)))
                .addProperty(
                        "refines",
                        orNull(
                                "The answer that can be made as good for a difference that fits, or null, with"
                                        + " budget-exhausted.",
                                reference(REFINES, null)))
                .addProperty("newest", reference(NEWEST, "The newest answer of the chain, with already-refined."))
                .addProperty("closedBecause", text("Why the session ended, with session-closed.", "positives"))
                .addProperty(
                        "reference",
                        text("The reference in the service's log, with internal-error.", "5f2a9c0e1b7d4a36"))
                .addProperty(
                        "queryId",
                        text(
                                "The question that was charged and has no answer yet, with temporarily-unavailable.",
                                "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q"));
    }

    private static Schema<?> newest() {
        return object("The newest answer of a chain of refinements.", List.of("queryId", "epsilon"))
                .addProperty("queryId", text("The answer.", "01KAB0Y3E0R6W9ZJ8N4H2T5M7Q"))
                .addProperty("epsilon", text("What its chain was charged.", "0.3"));
    }

    private static Schema<?> violation() {
        return object(
                        "One broken rule. Its place is one of pointer, parameter and header; with invalid-data, line"
                                + " and column.",
                        List.of("detail"))
                .addProperty(
                        "pointer",
                        text("A JSON pointer (RFC 6901) into the body; empty for the whole.", "/queries/3/count"))
                .addProperty("parameter", text("The name of a query or path parameter.", "limit"))
                .addProperty("header", text("The name of a header field.", "Idempotency-Key"))
                .addProperty(
                        "line",
                        orNull(
                                "With invalid-data: the line of the CSV on which the record begins, or the row of the"
                                        + " Parquet file; null if the rule is about the whole file.",
                                integer("The first is 1.", 17)))
                .addProperty(
                        "column",
                        orNull(
                                "With invalid-data: the header of the column; null if the rule is about none.",
                                text("As in the registration.", "age")))
                .addProperty(
                        "detail",
                        text(
                                "The rule, and the value sent or the way out; with invalid-data, never a value.",
                                "epsilon must be at most 100, was 101"));
    }

    private static JsonSchema orNull(String description, Schema<?> schema) {
        JsonSchema either = new JsonSchema();
        either.setAnyOf(List.of(schema, typed("null", null)));
        either.setDescription(description);
        return either;
    }

    private static JsonSchema object(String description, List<String> required) {
        JsonSchema schema = typed("object", description);
        schema.setRequired(required);
        return schema;
    }

    private static JsonSchema text(String description, String example) {
        JsonSchema schema = typed("string", description);
        schema.setExample(example);
        return schema;
    }

    private static JsonSchema integer(String description, int example) {
        JsonSchema schema = typed("integer", description);
        schema.setFormat("int64");
        schema.setExample(example);
        return schema;
    }

    private static JsonSchema typed(String type, @Nullable String description) {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of(type));
        schema.setDescription(description);
        return schema;
    }

    private static Schema<?> reference(String name, @Nullable String description) {
        return new JsonSchema().$ref("#/components/schemas/" + name).description(description);
    }

    private static Example example(ProblemType type) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("type", type.uri());
        value.put("title", type.title());
        value.put("status", type.status());
        value.put("detail", type.exampleDetail());
        value.put("instance", "/v1/datasets/adult/queries/count");
        value.putAll(membersOfExample(type));
        return new Example().summary(type.title()).value(value);
    }

    private static Map<String, Object> membersOfExample(ProblemType type) {
        try {
            return Json31.mapper()
                    .readValue(type.exampleMembers(), new TypeReference<LinkedHashMap<String, Object>>() {});
        } catch (JsonProcessingException noJson) {
            throw new IllegalStateException(type.exampleMembers(), noJson);
        }
    }
}
