package dev.purser.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.RequestBody;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Describes amounts in requests as string or number; responses have only strings. A schema that serves both keeps the
 * narrower form, because strings are always accepted.
 */
final class RequestAmounts {
    private static final String PREFIX = "#/components/schemas/";

    private final Map<String, Schema> components;

    private RequestAmounts(Map<String, Schema> components) {
        this.components = components;
    }

    static void widen(OpenAPI api) {
        if (api.getPaths() == null || api.getComponents().getSchemas() == null) {
            return;
        }
        RequestAmounts amounts = new RequestAmounts(api.getComponents().getSchemas());
        Set<Schema<?>> answered = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Schema<?>> asked = Collections.newSetFromMap(new IdentityHashMap<>());
        api.getPaths().values().stream()
                .flatMap(item -> item.readOperations().stream())
                .forEach(operation -> {
                    if (operation.getResponses() != null) {
                        operation.getResponses().values().stream()
                                .filter(response -> response.getContent() != null)
                                .flatMap(response -> response.getContent().values().stream())
                                .forEach(media -> amounts.collect(media.getSchema(), answered));
                    }
                    RequestBody body = operation.getRequestBody();
                    if (body != null && body.getContent() != null) {
                        body.getContent().values().forEach(media -> amounts.collect(media.getSchema(), asked));
                    }
                });
        asked.stream()
                .filter(schema -> !answered.contains(schema))
                .flatMap(RequestAmounts::directAmounts)
                .forEach(amount -> amount.setTypes(new LinkedHashSet<>(List.of("string", "number"))));
    }

    /** Collects all parts of {@code schema}, by identity, because equal amounts occur in many places. */
    private void collect(Schema<?> schema, Set<Schema<?>> found) {
        Schema<?> meant = schema == null ? null : resolved(schema);
        if (meant == null || !found.add(meant)) {
            return;
        }
        parts(meant).forEach(part -> collect(part, found));
    }

    private Schema<?> resolved(Schema<?> schema) {
        String reference = schema.get$ref();
        return reference != null && reference.startsWith(PREFIX)
                ? Objects.requireNonNullElse(components.get(reference.substring(PREFIX.length())), schema)
                : schema;
    }

    private static Stream<Schema<?>> parts(Schema<?> schema) {
        Stream.Builder<Schema<?>> parts = Stream.builder();
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(parts::add);
        }
        if (schema.getItems() != null) {
            parts.add(schema.getItems());
        }
        Stream.of(schema.getOneOf(), schema.getAnyOf(), schema.getAllOf())
                .filter(Objects::nonNull)
                .forEach(choices -> choices.forEach(parts::add));
        return parts.build();
    }

    private static Stream<Schema<?>> directAmounts(Schema<?> schema) {
        return parts(schema).filter(RequestAmounts::isAmount);
    }

    private static boolean isAmount(Schema<?> schema) {
        return schema.getExtensions() != null && schema.getExtensions().containsKey(AmountSchemas.MARK);
    }
}
