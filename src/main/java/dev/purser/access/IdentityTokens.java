package dev.purser.access;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.stereotype.Component;

/**
 * Reads which identity a signed token proves. The token has to be from the configured issuer, for the configured
 * audience, signed with a permitted algorithm, not expired and not before its time. Its other claims are ignored: the
 * identity's key has the role, the grants and the expiry.
 */
@Component
final class IdentityTokens {
    /** Three parts in base64url. Other texts are no tokens. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    /** The types of access tokens and identity tokens. Tokens that end a session have the same issuer and subject. */
    private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES =
            new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null);

    /** How much the clocks of issuer and service may differ. */
    private static final Duration SKEW = Duration.ofSeconds(30);

    private final String issuer;
    private final @Nullable NimbusJwtDecoder decoder;

    @Autowired
    IdentityTokens(AccessSettings settings, Clock clock) {
        this(settings.identity(), clock);
    }

    IdentityTokens(IdentitySettings settings, Clock clock) {
        this.issuer = settings.issuer();
        this.decoder = issuer.isEmpty() ? null : decoder(settings, clock);
    }

    private static NimbusJwtDecoder decoder(IdentitySettings settings, Clock clock) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(TYPES);
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
                settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet()),
                new IssuerKeys(settings.issuer(), clock)));
        processor.setJWTClaimsSetVerifier((claims, context) -> {}); // the validators below read the claims
        JwtTimestampValidator times = new JwtTimestampValidator(SKEW);
        times.setClock(clock);
        times.setAllowEmptyExpiryClaim(false);
        NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                new JwtIssuerValidator(settings.issuer()), new JwtAudienceValidator(settings.audience()), times));
        return decoder;
    }

    /**
     * The identity that a token proves; empty if it proves none, for any reason.
     *
     * @throws ProblemException {@code temporarily-unavailable} if the issuer cannot be asked for its keys
     */
    Optional<Identity> identityOf(String token) {
        if (decoder == null || !FORM.matcher(token).matches()) {
            return Optional.empty();
        }
        try {
            Jwt jwt = decoder.decode(token);
            return Optional.ofNullable(jwt.getSubject())
                    .filter(subject -> Identity.SUBJECT.matcher(subject).matches())
                    .map(subject -> new Identity(issuer, subject));
        } catch (JwtException refused) {
            if (refused.getCause() instanceof RemoteKeySourceException) {
                throw ProblemException.of(
                                ProblemType.TEMPORARILY_UNAVAILABLE,
                                "the identity provider cannot be reached, so the token cannot be checked")
                        .retryAfter(Duration.ofSeconds(5));
            }
            return Optional.empty();
        }
    }
}
