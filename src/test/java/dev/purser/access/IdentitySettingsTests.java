package dev.purser.access;

import dev.purser.store.StartupRefusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IdentitySettingsTests {
    private static final List<String> RSA = List.of("RS256");

    @ParameterizedTest
    @ValueSource(
            strings = {"https://id.example/realms/r", "http://localhost:9000", "http://127.0.0.1", "http://[::1]:9"})
    void anIssuerIsReachedProtected(String issuer) {
        assertThat(new IdentitySettings(issuer, "purser", RSA).issuer()).isEqualTo(issuer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://id.example",
                "http://localhost.evil.example",
                "id.example",
                "https:",
                "file:///x",
                "ht tp:"
            })
    void anIssuerWhoseKeysCouldBeChangedOnTheWayIsRefused(String issuer) {
        assertThatThrownBy(() -> new IdentitySettings(issuer, "purser", RSA))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining(issuer);
    }

    @ParameterizedTest
    @CsvSource({"https://id.example,''", "'',purser"})
    void issuerAndAudienceComeTogether(String issuer, String audience) {
        assertThatThrownBy(() -> new IdentitySettings(issuer, audience, RSA)).isInstanceOf(StartupRefusal.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "rs256", ""})
    void onlyAsymmetricSignaturesAreAccepted(String algorithm) {
        assertThatThrownBy(() -> new IdentitySettings("https://id.example", "purser", List.of("RS256", algorithm)))
                .isInstanceOf(StartupRefusal.class);
    }

    @Test
    void someSignatureIsAccepted() {
        assertThatThrownBy(() -> new IdentitySettings("https://id.example", "purser", List.of()))
                .isInstanceOf(StartupRefusal.class);
    }
}
