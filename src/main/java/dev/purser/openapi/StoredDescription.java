package dev.purser.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.swagger.v3.oas.annotations.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.SpringDocCustomizers;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.providers.SpringDocProviders;
import org.springdoc.core.service.AbstractRequestService;
import org.springdoc.core.service.GenericResponseService;
import org.springdoc.core.service.OpenAPIService;
import org.springdoc.core.service.OperationService;
import org.springdoc.webmvc.api.OpenApiWebMvcResource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.DigestUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The OpenAPI document. It is the same for every request, so it is written once and its bytes are kept. The library
 * would write it each time, and keep a copy for each language that a client names.
 */
@RestController
class StoredDescription extends OpenApiWebMvcResource {
    /** The address of the API, as {@link ApiDescription} writes it. */
    private static final String SERVER = "\"servers\":[{\"url\":\"/\"";

    private @Nullable ResponseEntity<byte[]> sent;
    private byte @Nullable [] json;
    private byte @Nullable [] yaml;

    StoredDescription(
            ObjectFactory<OpenAPIService> description,
            AbstractRequestService requests,
            GenericResponseService responses,
            OperationService operations,
            SpringDocConfigProperties settings,
            SpringDocProviders providers,
            SpringDocCustomizers customizers) {
        super(description, requests, responses, operations, settings, providers, customizers);
    }

    /**
     * The document at its usual address, sent only to clients that do not have it yet. The ETag is strong, so the
     * connector does not compress the document for every request, which needs no key.
     */
    @GetMapping(path = "/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(hidden = true)
    synchronized ResponseEntity<byte[]> openapiJson(HttpServletRequest request) throws JsonProcessingException {
        if (sent == null) {
            byte[] description = openapiJson(request, "/openapi", Locale.ROOT);
            sent = ResponseEntity.ok()
                    .cacheControl(CacheControl.noCache())
                    .eTag('"' + DigestUtils.md5DigestAsHex(description) + '"')
                    .body(description);
        }
        String prefix = request.getContextPath();
        return prefix.isEmpty() ? sent : ResponseEntity.ok(under(prefix, Objects.requireNonNull(sent.getBody())));
    }

    /** The document for clients of a proxy that takes a prefix off. */
    private static byte[] under(String prefix, byte[] description) {
        return new String(description, StandardCharsets.UTF_8)
                .replace(SERVER, SERVER.replace("/", prefix))
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized byte[] openapiJson(HttpServletRequest request, String address, Locale locale)
            throws JsonProcessingException {
        if (json == null) {
            json = super.openapiJson(request, address, Locale.ROOT);
        }
        return json;
    }

    @Override
    public synchronized byte[] openapiYaml(HttpServletRequest request, String address, Locale locale)
            throws JsonProcessingException {
        if (yaml == null) {
            yaml = super.openapiYaml(request, address, Locale.ROOT);
        }
        return yaml;
    }
}
