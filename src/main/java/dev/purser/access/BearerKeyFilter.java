package dev.purser.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Turns {@code Authorization: Bearer <key>} into a {@link Principal}. A key that is unknown, sent twice or malformed
 * counts as no key. The requested operation then decides about the response. The key is looked up once, when somebody
 * asks who sent the request, so never for a public address. The principal is also an attribute of the request, named
 * like its class, for the log.
 */
final class BearerKeyFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";

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
            context.setAuthentication(new BearerKey(principal));
            request.setAttribute(Principal.class.getName(), principal);
        });
        return context;
    }

    /** The security context is lost when a request is dispatched again, for an error or an asynchronous answer. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    private static Optional<String> presentedKey(HttpServletRequest request) {
        List<String> headers = Collections.list(request.getHeaders("Authorization"));
        if (headers.size() != 1) {
            return Optional.empty();
        }
        String header = headers.getFirst();
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? Optional.of(header.substring(SCHEME.length()).strip())
                : Optional.empty();
    }

    /** A request that carried the key of {@code principal}. */
    private static final class BearerKey extends AbstractAuthenticationToken {
        private static final long serialVersionUID = 1L;
        private final transient Principal principal;

        BearerKey(Principal principal) {
            super(AuthorityUtils.createAuthorityList("ROLE_" + principal.role().name()));
            this.principal = principal;
            setAuthenticated(true);
        }

        @Override
        public Object getPrincipal() {
            return principal;
        }

        @Override
        public Object getCredentials() {
            return "";
        }
    }
}
