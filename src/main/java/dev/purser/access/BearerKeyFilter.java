package dev.purser.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Turns {@code Authorization: Bearer <key>} into a {@link Principal}. SQL clients use two other forms, which are
 * accepted only at the address for SQL: {@code Basic} with the key as the password, and an extra credential with the
 * name {@code key}. A key that is unknown, sent twice or malformed counts as no key. The requested operation then
 * decides about the response. The key is looked up once, when code asks who sent the request, so never for a public
 * address. The principal is also an attribute of the request, named like its class, for the log.
 */
final class BearerKeyFilter extends OncePerRequestFilter {
    private static final String AUTHORIZATION = "Authorization";
    private static final String SCHEME = "Bearer ";
    private static final String BASIC = "Basic ";
    private static final String CREDENTIAL = "key=";

    /** The address for SQL clients. */
    private static final String SQL = "/v1/statement";

    private final Keys keys;

    BearerKeyFilter(Keys keys) {
        this.keys = keys;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        SecurityContextHolder.setDeferredContext(SingletonSupplier.of(() -> contextOf(request)));
        chain.doFilter(request, response);
    }

    private SecurityContext contextOf(HttpServletRequest request) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        presentedKey(request).flatMap(keys::principalOf).ifPresent(principal -> {
            context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                    principal,
                    "",
                    AuthorityUtils.createAuthorityList(
                            "ROLE_" + principal.role().name())));
            request.setAttribute(Principal.class.getName(), principal);
        });
        return context;
    }

    /**
     * The filter runs again if a request is dispatched again, for an error or an asynchronous answer, because the
     * security context is then lost.
     */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    /** Whether a request has a credential in any of the forms. */
    static boolean hasCredential(HttpServletRequest request) {
        return request.getHeader(AUTHORIZATION) != null || !credentials(request).isEmpty();
    }

    private static Optional<String> presentedKey(HttpServletRequest request) {
        List<String> headers = Collections.list(request.getHeaders(AUTHORIZATION));
        List<String> credentials = credentials(request);
        if (headers.size() + credentials.size() != 1) {
            return Optional.empty();
        }
        if (headers.isEmpty()) {
            return credentials.stream().findFirst().flatMap(BearerKeyFilter::percentDecoded);
        }
        String header = headers.getFirst();
        return after(SCHEME, header)
                .or(() ->
                        isOfSql(request) ? after(BASIC, header).flatMap(BearerKeyFilter::password) : Optional.empty());
    }

    private static Optional<String> after(String scheme, String header) {
        return header.regionMatches(true, 0, scheme, 0, scheme.length())
                ? Optional.of(header.substring(scheme.length()).strip())
                : Optional.empty();
    }

    private static boolean isOfSql(HttpServletRequest request) {
        // A proxy may have removed a prefix, which the request has again here.
        String path = request.getRequestURI().substring(request.getContextPath().length());
        return path.equals(SQL) || path.startsWith(SQL + "/");
    }

    private static Optional<String> password(String nameAndPassword) {
        try {
            String decoded = new String(Base64.getDecoder().decode(nameAndPassword), StandardCharsets.UTF_8);
            int colon = decoded.indexOf(':');
            return colon < 0 ? Optional.empty() : Optional.of(decoded.substring(colon + 1));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static Optional<String> percentDecoded(String credential) {
        try {
            return Optional.of(URLDecoder.decode(credential, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /** One header can have several credentials. Only the address for SQL has any. */
    private static List<String> credentials(HttpServletRequest request) {
        if (!isOfSql(request)) {
            return List.of();
        }
        return Collections.list(request.getHeaders("X-Trino-Extra-Credential")).stream()
                .flatMap(header -> Arrays.stream(header.split(",")))
                .map(String::strip)
                .filter(credential -> credential.startsWith(CREDENTIAL))
                .map(credential -> credential.substring(CREDENTIAL.length()))
                .toList();
    }
}
