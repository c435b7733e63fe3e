package dev.purser.access;

import dev.purser.store.StartupRefusal;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

/**
 * The identity provider whose tokens sign in besides keys, as {@code purser.identity.*}.
 *
 * @param issuer the one identity provider, exactly as its tokens name it; empty for none
 * @param audience the audience that its tokens for this service name
 * @param algorithms the accepted signature algorithms; all are asymmetric, so nobody can sign with the issuer's public
 *     keys
 */
public record IdentitySettings(
        @DefaultValue("") String issuer,
        @DefaultValue("") String audience,
        @DefaultValue({"RS256", "ES256"}) List<String> algorithms) {
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * @throws StartupRefusal if only one of issuer and audience is set, or the issuer's keys could be changed on their
     *     way
     */
    public IdentitySettings {
        if (issuer.isEmpty() != audience.isEmpty()) {
            throw new StartupRefusal(
                    "purser.identity.issuer and purser.identity.audience must be set together: without an audience,"
                            + " tokens for any other service of the issuer would sign in here.",
                    "Set both, or neither.");
        }
        if (!issuer.isEmpty() && !isProtected(issuer)) {
            throw new StartupRefusal(
                    "purser.identity.issuer must be an https address, or one of this machine, was " + issuer + ".",
                    "Set it to the value of \"issuer\" in the provider's /.well-known/openid-configuration.");
        }
        if (algorithms.isEmpty() || algorithms.stream().anyMatch(name -> SignatureAlgorithm.from(name) == null)) {
            throw new StartupRefusal(
                    "purser.identity.algorithms must be asymmetric signatures, was " + algorithms + ".",
                    "Set it to a list of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384 and ES512.");
        }
    }

    /** Whether a response from this address cannot be changed on its way. */
    static boolean isProtected(String address) {
        try {
            URI uri = URI.create(address);
            return uri.getHost() != null
                    && ("https".equals(uri.getScheme())
                            || "http".equals(uri.getScheme()) && THIS_MACHINE.contains(uri.getHost()));
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }
}
