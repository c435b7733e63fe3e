package dev.purser.openapi;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.List;

import static java.util.Objects.requireNonNull;

/** Describes the reads that {@code dataset.web.ConditionalReads} makes conditional. */
final class ConditionalResponses {
    private static final List<String> PATHS = List.of("/v1/datasets", "/v1/datasets/{id}", "/v1/datasets/{id}/budget");

    private ConditionalResponses() {}

    static void describeAll(OpenAPI api) {
        for (String path : PATHS) {
            ApiResponses responses =
                    requireNonNull(api.getPaths().get(path)).getGet().getResponses();
            requireNonNull(responses.get("200"))
                    .addHeaderObject("ETag", etag("Identifies the content, for `If-None-Match`."));
            responses.addApiResponse(
                    "304",
                    new ApiResponse()
                            .description("Unchanged: the content is the one whose ETag was sent.")
                            .addHeaderObject("ETag", etag("The one that was sent.")));
        }
    }

    private static Header etag(String description) {
        return new Header().description(description).schema(new StringSchema());
    }
}
