package dev.purser.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Gives the {@code id} in a path the ids that the examples of its creation make. An example of a body belongs to the id
 * of the same name, or else to the first id. Operations on blocks have the ids of examples with blocks, and other
 * operations have the other ids.
 */
final class PathExamples {
    private static final String ONE = "/{id}";

    private PathExamples() {}

    static void describeAll(OpenAPI api) {
        for (String one : api.getPaths().keySet()) {
            if (!one.endsWith(ONE)) {
                continue;
            }
            Operation create = requireNonNull(api.getPaths().get(one.substring(0, one.length() - ONE.length())))
                    .getPost();
            SequencedMap<String, String> ids = new LinkedHashMap<>();
            SequencedMap<String, String> withBlocks = new LinkedHashMap<>();
            examples(create).forEach(example -> {
                JsonNode body = (JsonNode) example.getValue().getValue();
                (body.has("blocks") ? withBlocks : ids)
                        .put(example.getKey(), body.get("id").asText());
            });
            api.getPaths().forEach((path, item) -> {
                if (path.startsWith(one)) {
                    SequencedMap<String, String> meant = path.contains("/{id}/blocks") ? withBlocks : ids;
                    item.readOperations().forEach(operation -> describe(operation, meant));
                }
            });
        }
    }

    private static Stream<Map.Entry<String, Example>> examples(Operation operation) {
        return operation.getRequestBody() == null
                ? Stream.of()
                : operation.getRequestBody().getContent().values().stream()
                        .filter(media -> media.getExamples() != null)
                        .flatMap(media -> media.getExamples().entrySet().stream());
    }

    private static void describe(Operation operation, SequencedMap<String, String> ids) {
        Set<String> names = examples(operation).map(Map.Entry::getKey).collect(Collectors.toSet());
        SequencedMap<String, String> meant = new LinkedHashMap<>(ids);
        meant.keySet().retainAll(names);
        if (meant.isEmpty()) {
            meant.put(ids.firstEntry().getKey(), ids.firstEntry().getValue());
        }
        operation.setParameters(operation.getParameters().stream()
                .map(parameter -> parameter.getName().equals("id") ? withExamples(parameter, meant) : parameter)
                .toList());
    }

    /** Makes a copy, because operations share their parameters. */
    private static Parameter withExamples(Parameter id, SequencedMap<String, String> ids) {
        Parameter described = new Parameter()
                .name(id.getName())
                .in(id.getIn())
                .description(id.getDescription())
                .required(id.getRequired())
                .schema(id.getSchema());
        if (ids.size() == 1) {
            return described.example(ids.firstEntry().getValue());
        }
        ids.forEach((name, value) -> described.addExample(name, new Example().value(value)));
        return described;
    }
}
