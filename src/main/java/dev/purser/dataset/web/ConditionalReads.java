package dev.purser.dataset.web;

import dev.purser.digest.Sha256;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import tools.jackson.databind.json.JsonMapper;

import static java.util.Objects.requireNonNull;

/**
 * Responses that dashboards read again and again, with an {@code ETag}. To a request with {@code If-None-Match}, the
 * content is sent only if it changed. The tag is a digest of the JSON. The JSON is written once for the digest alone,
 * and its bytes are not kept.
 *
 * <p>It also describes the tag, and the response without content, of every {@link ConditionalRead}.
 */
@Component
class ConditionalReads implements GlobalOperationCustomizer {
    private final JsonMapper json;

    ConditionalReads(JsonMapper json) {
        this.json = json;
    }

    /** The response with a view and its tag. The tag is weak, because the body may be compressed. */
    <T> ResponseEntity<T> of(T view) {
        MessageDigest digest = Sha256.begin();
        json.writeValue(new DigestOutputStream(OutputStream.nullOutputStream(), digest), view);
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noCache().cachePrivate())
                .eTag("W/\"" + HexFormat.of().formatHex(digest.digest()) + '"')
                .body(view);
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        if (handler.hasMethodAnnotation(ConditionalRead.class)) {
            ApiResponses responses = operation.getResponses();
            requireNonNull(responses.get("200"))
                    .addHeaderObject("ETag", etag("Identifies the content, for `If-None-Match`."));
            responses.addApiResponse(
                    "304",
                    new ApiResponse()
                            .description("Unchanged: the content is the one whose ETag was sent.")
                            .addHeaderObject("ETag", etag("The one that was sent.")));
        }
        return operation;
    }

    private static Header etag(String description) {
        return new Header().description(description).schema(new StringSchema());
    }
}
