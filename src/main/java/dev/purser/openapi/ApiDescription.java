package dev.purser.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts of the OpenAPI document that describe the service as a whole. */
@Configuration(proxyBeanMethods = false)
class ApiDescription {
    private static final String KEY = "bearerKey";

    private static final String DESCRIPTION = """
            Differentially private answers over HTTP, with a ledger of all spent privacy budget.

            A `GET` never spends. A question is charged before the data is read, once per `Idempotency-Key`, and never \
            refunded. Privacy amounts are exact decimals, described as strings; requests may send numbers too. In a \
            request, an optional field that is `null` is as if absent. Every refusal is `application/problem+json`; \
            its `type` is the address of a page that explains it.""";

    @Bean
    OpenApiCustomizer describedAsAWhole() {
        return api -> {
            api.setInfo(new Info()
                    .title("Purser")
                    .version("1")
                    .description(DESCRIPTION)
                    .license(new License().name("Apache-2.0").identifier("Apache-2.0")));
            api.setServers(List.of(new Server().url("/").description("This service")));
            if (api.getComponents() == null) {
                api.setComponents(new Components());
            }
            api.getComponents()
                    .addSecuritySchemes(
                            KEY,
                            new SecurityScheme()
                                    .type(SecurityScheme.Type.HTTP)
                                    .scheme("bearer")
                                    .description(
                                            "A key of this service. The first start writes the administrator's key to"
                                                    + " the file admin.key in the service's home folder."));
            api.setSecurity(List.of(new SecurityRequirement().addList(KEY)));
            CsvResponses.describeAll(api);
            ProblemResponses.describeAll(api);
            PathExamples.describeAll(api);
            OrderOfUse.arrange(api);
        };
    }

    @Bean
    OpenAPI emptyDescription() {
        return new OpenAPI().components(new Components());
    }
}
