package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Refuses a principal's requests that come too often, before anything of the request is read. It also refuses requests
 * without a valid credential if too many come from one address. A request with a valid credential is never refused
 * because of what others sent from the same address.
 */
@Component
final class RateRules {
    private final RateSettings settings;
    private final Rates principals = new Rates(System::nanoTime);
    private final Rates addresses = new Rates(System::nanoTime);

    RateRules(AccessSettings settings) {
        this.settings = settings.rates();
    }

    /**
     * Counts a request of a principal, whatever it asks for.
     *
     * @throws ProblemException {@code too-many-requests} if it is one too many
     */
    void count(HttpServletRequest request) {
        // A request that is dispatched again was counted at its first dispatch.
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            Principal.of(request).ifPresent(this::count);
        }
    }

    private void count(Principal principal) {
        int perMinute = settings.perMinute(principal.role());
        principals.count(principal.name(), perMinute).ifPresent(wait -> {
            throw tooMany(
                    "the role " + principal.role().label() + " may send " + perMinute + " requests in a minute", wait);
        });
    }

    /** The refusal of a request without a valid credential, if its address sent too many of them. */
    Optional<ProblemException> refusalOfSignIn(HttpServletRequest request) {
        return BearerKeyFilter.hasCredential(request)
                ? addresses
                        .count(Forwarders.senderOf(request), settings.failedSignIns())
                        .map(wait -> tooMany("too many requests of this address had no valid credential", wait))
                : Optional.empty();
    }

    private static ProblemException tooMany(String detail, Duration wait) {
        return ProblemException.of(ProblemType.TOO_MANY_REQUESTS, detail)
                .retryAfter(Duration.ofSeconds(wait.toSeconds() + 1));
    }
}
