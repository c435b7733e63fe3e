package dev.purser.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.util.Set;

/** Describes every response that can be CSV. */
final class CsvResponses {
    private static final String TYPE = "text/csv";
    private static final String DESCRIPTION =
            "The table of the JSON as CSV (RFC 4180, UTF-8, header row): a column for each field of an item, named by"
                    + " its path, such as `interval.low`. A text that begins with `=`, `+`, `-`, `@`, a tab or a"
                    + " carriage return has an apostrophe before it, so that no spreadsheet takes it for a formula;"
                    + " numbers have none.";

    private CsvResponses() {}

    static void describeAll(OpenAPI api) {
        if (api.getPaths() == null) {
            return;
        }
        api.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .flatMap(operation -> operation.getResponses().values().stream())
                .map(ApiResponse::getContent)
                .filter(content -> content != null && content.containsKey(TYPE))
                .forEach(content -> content.put(TYPE, csv()));
    }

    private static MediaType csv() {
        JsonSchema schema = new JsonSchema();
        schema.setTypes(Set.of("string"));
        schema.setDescription(DESCRIPTION);
        return new MediaType().schema(schema);
    }
}
