package dev.purser.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys that an issuer signs with. They are fetched when the first token comes, kept for five minutes, and
 * renewed when a token names a key that is not among them. For this reason they are renewed at most once a minute,
 * because senders choose what a token names. While they cannot be fetched, a token whose key is not known cannot be
 * judged, neither as valid nor as invalid.
 *
 * <p>One thread fetches at a time. Tokens whose key is known do not wait for it.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final Duration KEPT = Duration.ofMinutes(5);
    private static final Duration BETWEEN_UNKNOWN = Duration.ofMinutes(1);
    private static final Duration BETWEEN_FAILURES = Duration.ofSeconds(5);
    private static final int TIMEOUT_MILLIS = 5_000;
    private static final int MAX_BYTES = 1 << 18;

    private final String issuer;
    private final Clock clock;
    private final DefaultResourceRetriever retriever =
            new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, MAX_BYTES);
    private final ReentrantLock fetching = new ReentrantLock();

    private volatile @Nullable Fetched fetched;
    private Instant nextForUnknown = Instant.MIN;
    private Instant nextAfterFailure = Instant.MIN;
    private boolean hasFailed;

    IssuerKeys(String issuer, Clock clock) {
        this.issuer = issuer;
        this.clock = clock;
    }

    private record Fetched(JWKSet keys, Instant at) {}

    /** @throws RemoteKeySourceException if the issuer cannot be asked for a key that may be the right one */
    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws KeySourceException {
        Fetched known = fetched;
        List<JWK> found = known == null || isOld(known) ? List.of() : selector.select(known.keys());
        return found.isEmpty() ? selector.select(renewed(known).keys()) : found;
    }

    private boolean isOld(Fetched keys) {
        return keys.at().plus(KEPT).isBefore(clock.instant());
    }

    private Fetched renewed(@Nullable Fetched known) throws RemoteKeySourceException {
        fetching.lock();
        try {
            Fetched present = fetched;
            Instant now = clock.instant();
            Fetched usable = present == null || isOld(present) ? null : present;
            if (usable != null && usable != known) {
                return usable; // another thread renewed them meanwhile
            }
            Instant next = usable == null ? nextAfterFailure : nextForUnknown;
            if (now.isBefore(next)) {
                if (usable == null || hasFailed) {
                    throw new RemoteKeySourceException("the issuer could not be reached a moment ago", null);
                }
                return usable;
            }
            if (usable != null) {
                nextForUnknown = now.plus(BETWEEN_UNKNOWN);
            }
            return fetch();
        } finally {
            fetching.unlock();
        }
    }

    private Fetched fetch() throws RemoteKeySourceException {
        hasFailed = true;
        try {
            Map<String, Object> provider = JSONObjectUtils.parse(text(configuration()));
            if (!issuer.equals(provider.get("issuer"))) {
                throw new IOException("the provider names another issuer");
            }
            String keys = JSONObjectUtils.getString(provider, "jwks_uri");
            if (keys == null || !IdentitySettings.isProtected(keys)) {
                throw new IOException("the provider names no https address of its keys");
            }
            Fetched fresh = new Fetched(JWKSet.parse(text(keys)), clock.instant());
            fetched = fresh;
            hasFailed = false;
            return fresh;
        } catch (IOException | ParseException failure) {
            LOG.warn("Nobody can sign in with tokens of {}: {}", issuer, failure.toString());
            nextAfterFailure = clock.instant().plus(BETWEEN_FAILURES);
            throw new RemoteKeySourceException("the issuer's keys cannot be fetched", failure);
        }
    }

    /** A slash at the end belongs to the issuer's name, and not to this address (OpenID Connect Discovery, 4.1). */
    private String configuration() {
        String place = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return place + "/.well-known/openid-configuration";
    }

    private String text(String address) throws IOException {
        return retriever.retrieveResource(URI.create(address).toURL()).getContent();
    }
}
