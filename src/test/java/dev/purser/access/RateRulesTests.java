package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.store.Secret;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Who is refused for too many requests, and which address identifies a sender. */
class RateRulesTests {
    private static final AccessSettings SETTINGS = new AccessSettings(
            new Secret(""),
            new AllowedOrigins(List.of(), List.of("10.0.0.1", "10.0.0.2", "::1")),
            new IdentitySettings("", "", List.of("RS256")),
            new RateSettings(0, 6, 60, 6, 6, 6, 6, 6));

    private final RateRules rules = new RateRules(SETTINGS);

    private Optional<ProblemException> refusal(String name, Role role, DispatcherType dispatch) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setDispatcherType(dispatch);
        request.setAttribute(
                Principal.class.getName(), new Principal(name, role, null, Map.of(), Grants.NONE, Grants.NONE));
        return Optional.ofNullable(catchThrowableOfType(ProblemException.class, () -> rules.count(request)));
    }

    @Test
    void aPrincipalIsRefusedByTheRateOfItsRoleAndNobodyElseIs() {
        for (int i = 0; i < 11; i++) {
            assertThat(refusal("ana", Role.ANALYST, DispatcherType.REQUEST)).isEmpty();
        }
        ProblemException refused =
                refusal("ana", Role.ANALYST, DispatcherType.REQUEST).orElseThrow();
        assertThat(refused.type()).isEqualTo(ProblemType.TOO_MANY_REQUESTS);
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(refusal("ana", Role.ANALYST, DispatcherType.ASYNC)).isEmpty();
        assertThat(refusal("bob", Role.ANALYST, DispatcherType.REQUEST)).isEmpty();
        for (int i = 0; i < 1_000; i++) {
            assertThat(refusal("admin", Role.ADMINISTRATOR, DispatcherType.REQUEST))
                    .isEmpty();
        }
    }

    private static MockHttpServletRequest from(String address, String... forwarded) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr(address);
        request.addHeader("Authorization", "Bearer wrong");
        for (String each : forwarded) {
            request.addHeader("X-Forwarded-For", each);
        }
        return request;
    }

    /** The request as the filter passes it on. */
    private static HttpServletRequest passed(MockHttpServletRequest request) throws Exception {
        MockFilterChain chain = new MockFilterChain();
        new Forwarders(SETTINGS).doFilter(request, new MockHttpServletResponse(), chain);
        return (HttpServletRequest) requireNonNull(chain.getRequest());
    }

    private boolean isRefused(HttpServletRequest request) {
        return rules.refusalOfSignIn(request).isPresent();
    }

    @Test
    void failedSignInsAreCountedByTheirAddress() throws Exception {
        assertThat(isRefused(passed(from("192.0.2.7")))).isFalse();
        assertThat(isRefused(passed(from("192.0.2.7")))).isFalse();
        assertThat(isRefused(passed(from("192.0.2.7")))).isTrue();
        assertThat(isRefused(passed(from("192.0.2.8")))).isFalse();
        MockHttpServletRequest none = new MockHttpServletRequest();
        none.setRemoteAddr("192.0.2.7");
        assertThat(isRefused(none)).as("a request without a credential").isFalse();
    }

    @Test
    void guessesInTheHeaderOfSqlClientsAreCountedToo() {
        for (String header : List.of("key=wrong", "other=1, key=wrong")) {
            MockHttpServletRequest request = new MockHttpServletRequest("POST", "/v1/statement");
            request.setRemoteAddr("192.0.2." + header.length());
            request.addHeader("X-Trino-Extra-Credential", header);
            assertThat(isRefused(request)).isFalse();
            assertThat(isRefused(request)).isFalse();
            assertThat(isRefused(request)).isTrue();
        }
        MockHttpServletRequest other = new MockHttpServletRequest("POST", "/v1/statement");
        other.addHeader("X-Trino-Extra-Credential", "other=1");
        for (int i = 0; i < 5; i++) {
            assertThat(isRefused(other)).as("a request without a credential").isFalse();
        }
    }

    private static String sender(String address, String... forwarded) throws Exception {
        return Forwarders.senderOf(passed(from(address, forwarded)));
    }

    @Test
    void aSenderIsOneHoweverItsAddressIsWritten() throws Exception {
        for (String written : List.of("198.51.100.1:51234", "[::ffff:198.51.100.1]:4711", "::ffff:c633:6401")) {
            assertThat(sender("10.0.0.1", written)).as(written).isEqualTo("198.51.100.1");
        }
        String network = sender("2001:db8:0:1:0:0:0:1");
        for (String written : List.of("2001:db8:0:1::2", "[2001:DB8:0:1::3]:80", "[2001:db8:0:1::4]")) {
            assertThat(sender("10.0.0.1", written)).as(written).isEqualTo(network);
        }
        assertThat(sender("2001:db8:0:2::1")).isNotEqualTo(network);
        assertThat(sender("fe80:0:0:0:0:0:0:1%eth0")).isEqualTo(sender("fe80::2"));
    }

    @Test
    void aProxyIsRecognizedHoweverItsAddressIsWritten() throws Exception {
        for (String proxy : List.of("::1", "0:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:1%lo")) {
            assertThat(sender(proxy, "198.51.100.1, [::1]:80, 10.0.0.2:443"))
                    .as(proxy)
                    .isEqualTo("198.51.100.1");
        }
        assertThat(sender("10.0.0.1", "203.0.113.9, unknown")).as("no name").isEqualTo("10.0.0.1");
    }

    /** A sender that invents addresses is known by the address that the proxy saw. */
    @Test
    void onlyANamedProxySaysWhoSentARequest() throws Exception {
        assertThat(Forwarders.senderOf(passed(from("192.0.2.7", "198.51.100.1"))))
                .isEqualTo("192.0.2.7");
        assertThat(Forwarders.senderOf(passed(from("10.0.0.1", "203.0.113.9, 198.51.100.1"))))
                .isEqualTo("198.51.100.1");
        assertThat(Forwarders.senderOf(passed(from("10.0.0.1", "203.0.113.9", "198.51.100.1, 10.0.0.2"))))
                .isEqualTo("198.51.100.1");
        assertThat(Forwarders.senderOf(passed(from("10.0.0.1")))).isEqualTo("10.0.0.1");
        assertThat(Forwarders.senderOf(passed(from("10.0.0.1", "10.0.0.2")))).isEqualTo("10.0.0.1");
    }

    @Test
    void onlyANamedProxySaysUnderWhichAddressTheServiceIsSeen() throws Exception {
        for (String address : List.of("192.0.2.7", "10.0.0.1")) {
            MockHttpServletRequest request = from(address);
            request.addHeader("X-Forwarded-Proto", "https");
            request.addHeader("X-Forwarded-Host", "purser.example");
            request.addHeader("X-Forwarded-Prefix", "/privacy");
            boolean isBelieved = address.equals("10.0.0.1");
            HttpServletRequest seen = passed(request);
            assertThat(seen.isSecure()).isEqualTo(isBelieved);
            assertThat(seen.getServerName()).isEqualTo(isBelieved ? "purser.example" : "localhost");
            assertThat(seen.getContextPath()).isEqualTo(isBelieved ? "/privacy" : "");
            assertThat(seen.getHeader("X-Forwarded-Host")).isNull();
        }
    }

    @Test
    void theHeaderForwardedCountsFromNobody() throws Exception {
        MockHttpServletRequest request = from("10.0.0.1", "198.51.100.1");
        request.addHeader("Forwarded", "proto=https;host=evil.example;for=203.0.113.9");
        request.addHeader("X-Forwarded-Host", "purser.example");
        HttpServletRequest seen = passed(request);
        assertThat(seen.getServerName()).isEqualTo("purser.example");
        assertThat(seen.isSecure()).isFalse();
        assertThat(Forwarders.senderOf(seen)).isEqualTo("198.51.100.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"//evil.example", "x", "/a\"b", "/a,//evil.example", "/a b", "/a/%2e", "/", "/a?b", "/a//b"})
    void aPrefixThatIsNoPathIsDropped(String prefix) throws Exception {
        MockHttpServletRequest request = from("10.0.0.1");
        request.addHeader("X-Forwarded-Prefix", prefix);
        assertThat(passed(request).getContextPath()).isEmpty();
    }
}
