package dev.purser.openapi;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springdoc.core.properties.SwaggerUiConfigProperties;
import org.springdoc.core.properties.SwaggerUiOAuthProperties;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springdoc.webmvc.ui.SwaggerIndexPageTransformer;
import org.springdoc.webmvc.ui.SwaggerWelcomeCommon;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.resource.ResourceTransformerChain;
import org.springframework.web.servlet.resource.TransformedResource;

/** Has the page show each described refusal in a line or two: its status, and links to the pages of its problems. */
@Component
class CompactErrors extends SwaggerIndexPageTransformer {
    private static final String STYLE = """

            .swagger-ui .response:is([data-code^="4"], [data-code^="5"])
                    .response-col_description > :not(:first-child) {
                display: none;
            }
            .swagger-ui .response:is([data-code^="4"], [data-code^="5"]) :is(td, p) {
                margin: 0;
                padding-bottom: 2px;
                padding-top: 2px;
            }
            """;

    CompactErrors(
            SwaggerUiConfigProperties settings,
            SwaggerUiOAuthProperties login,
            SwaggerWelcomeCommon welcome,
            ObjectMapperProvider mappers) {
        super(settings, login, welcome, mappers);
    }

    @Override
    public Resource transform(HttpServletRequest request, Resource resource, ResourceTransformerChain chain)
            throws IOException {
        if (!"index.css".equals(resource.getFilename())) {
            return super.transform(request, resource, chain);
        }
        String style = resource.getContentAsString(StandardCharsets.UTF_8) + STYLE;
        return new TransformedResource(resource, style.getBytes(StandardCharsets.UTF_8));
    }
}
