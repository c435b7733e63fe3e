package dev.purser.access;

import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import jakarta.servlet.FilterChain;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class BearerKeyFilterTests {
    @TempDir
    Path folder;

    private static @Nullable Authentication sender() {
        return SecurityContextHolder.getContext().getAuthentication();
    }

    /** A revocation in the middle of a request would otherwise leave an operation without a principal. */
    @Test
    void whoSentARequestIsLookedUpOnceAndTheSameUntilItsEnd() throws Exception {
        PurserHome home = new PurserHome(folder.resolve("home"));
        try (Database database = new Database(home)) {
            KeyRegister register = new KeyRegister(database, Clock.systemUTC());
            KeyRegister.Issued issued = register.issue(new NewKey(
                    "ana",
                    Role.ANALYST,
                    Grants.ALL,
                    Grants.NONE,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()));
            BearerKeyFilter filter = new BearerKeyFilter(new Keys(
                    new AdministratorKey("", home),
                    register,
                    new IdentityTokens(new IdentitySettings("", "", List.of("RS256")), Clock.systemUTC())));
            filtered(filter, issued.token(), (request, response) -> {
                Authentication first = requireNonNull(sender());
                assertThat(first.getName()).isEqualTo("ana");
                register.revoke(issued.key().keyId());
                assertThat(sender()).isSameAs(first);
                assertThat(request.getAttribute(Principal.class.getName())).isSameAs(first.getPrincipal());
            });
            filtered(
                    filter,
                    issued.token(),
                    (request, response) -> assertThat(sender()).isNull());
        }
    }

    private static void filtered(BearerKeyFilter filter, String token, FilterChain chain) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.addHeader("Authorization", "Bearer " + token);
        try {
            filter.doFilter(request, new MockHttpServletResponse(), chain);
        } finally {
            SecurityContextHolder.clearContext();
        }
    }
}
