package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Decides which addresses are public. Every other address needs a key. No state is kept between requests. */
@Configuration(proxyBeanMethods = false)
class AccessRules {
    /** The address that SQL clients read before they send a key. */
    private static final String INFO = "/v1/info";

    /** The addresses that need no key. */
    static final String[] PUBLIC = {
        "/",
        "/index.html",
        "/favicon.ico",
        "/console/**",
        "/docs",
        "/docs/**",
        "/swagger-ui/**",
        "/openapi",
        "/openapi.json",
        "/openapi.yaml",
        "/openapi/**",
        "/problems",
        "/problems/**",
        INFO,
        "/actuator/health",
        "/actuator/health/**"
    };

    /**
     * Only scripts of this service are allowed. Inline styles are allowed because the documentation viewer sets them.
     */
    private static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                    + " img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    /**
     * The roles for actuator endpoints that an operator may enable. Other operations are checked by their PermittedTo.
     */
    private static final List<Role> ACTUATOR = List.of(Role.ADMINISTRATOR, Role.OPERATOR);

    private final HandlerExceptionResolver problems;

    AccessRules(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.problems = problems;
    }

    @Bean
    SecurityFilterChain accessChain(HttpSecurity http, Keys keys, AccessSettings settings, RateRules rates) {
        AllowedOrigins origins = settings.web();
        http.addFilterBefore(refusals(), CorsFilter.class);
        if (!origins.allowedOrigins().isEmpty()) {
            // This filter runs before a key is required. A browser first asks what a page may do, and sends no key with
            // that question.
            http.addFilter(pagesOf(origins));
        }
        http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                        DispatcherType.FORWARD, DispatcherType.ERROR, DispatcherType.ASYNC)
                .permitAll()
                .requestMatchers(INFO)
                .permitAll()
                // This rule comes first, because nearly every request is for these addresses.
                .requestMatchers("/v1/**")
                .authenticated()
                .requestMatchers(PUBLIC)
                .permitAll()
                .requestMatchers("/actuator/**")
                .hasAnyRole(ACTUATOR.stream().map(Role::name).toArray(String[]::new))
                .anyRequest()
                .authenticated());
        http.addFilterBefore(new ForeignSites(origins.allowedOrigins()), AuthorizationFilter.class);
        http.addFilterBefore(new BearerKeyFilter(keys), AuthorizationFilter.class);
        http.addFilterAfter(
                (request, response, chain) -> {
                    rates.count((HttpServletRequest) request);
                    chain.doFilter(request, response);
                },
                AuthorizationFilter.class);
        http.exceptionHandling(refusals -> refusals.authenticationEntryPoint((request, response, failure) -> {
                    throw rates.refusalOfSignIn(request)
                            .<RuntimeException>map(tooMany -> tooMany)
                            .orElse(failure);
                })
                .accessDeniedHandler((request, response, failure) -> {
                    rates.count(request);
                    throw RoleRules.forbidden(request, ACTUATOR);
                }));
        http.securityContext(context -> context.securityContextRepository(new NullSecurityContextRepository()));
        http.headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.NO_REFERRER)));
        // No cookie of this service has a key. If a proxy adds a credential, ForeignSites refuses other sites.
        http.csrf(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .sessionManagement(AbstractHttpConfigurer::disable)
                .anonymous(AbstractHttpConfigurer::disable)
                .servletApi(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable);
        return http.build();
    }

    private static CorsFilter pagesOf(AllowedOrigins origins) {
        CorsConfiguration rules = new CorsConfiguration();
        rules.setAllowedOrigins(origins.allowedOrigins());
        rules.setAllowedMethods(List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"));
        rules.setAllowedHeaders(List.of(
                "Accept",
                "Authorization",
                "Content-Digest",
                "Content-Type",
                "Idempotency-Key",
                "If-None-Match",
                "Last-Event-ID",
                "MCP-Protocol-Version",
                "Mcp-Method",
                "Mcp-Name"));
        rules.setExposedHeaders(List.of(
                "Answer-Reused",
                "Certificate",
                "ETag",
                "Idempotency-Key",
                "Idempotency-Replayed",
                "Link",
                "Location",
                "Retry-After"));
        rules.setMaxAge(Duration.ofHours(1));
        UrlBasedCorsConfigurationSource everywhere = new UrlBasedCorsConfigurationSource();
        everywhere.registerCorsConfiguration("/**", rules);
        CorsFilter filter = new CorsFilter(everywhere);
        filter.setCorsProcessor(new DefaultCorsProcessor() {
            @Override
            protected void rejectRequest(ServerHttpResponse response) {
                throw ProblemException.of(
                        ProblemType.FORBIDDEN,
                        "pages of this origin, or with this method or header, may not call the service"
                                + " (purser.web.allowed-origins)");
            }
        });
        return filter;
    }

    /** Answers an exception of a later filter as if an operation threw it. The container would log a stack trace. */
    private Filter refusals() {
        return (request, response, chain) -> {
            try {
                chain.doFilter(request, response);
            } catch (RuntimeException thrown) {
                problems.resolveException((HttpServletRequest) request, (HttpServletResponse) response, null, thrown);
            }
        };
    }

    /** Methods are checked where the address is known, so that a refusal can list the methods allowed there. */
    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setUnsafeAllowAnyHttpMethod(true);
        return firewall;
    }

    @Bean
    RequestRejectedHandler rejected() {
        return (request, response, failure) -> problems.resolveException(request, response, null, failure);
    }
}
