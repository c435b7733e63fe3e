package dev.purser.dataset;

import dev.purser.dataset.jail.JailedParser;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * Says how uploads are parsed on this host: {@code UP} in a jail, else {@code UPLOADS_UNJAILED} or {@code UPLOADS_REFUSED}. With
 * the latter two the service answers questions all the same, so that its HTTP status stays 200.
 */
@Component
class UploadHealth implements HealthIndicator {
    private final JailedParser parser;

    UploadHealth(JailedParser parser) {
        this.parser = parser;
    }

    @Override
    public Health health() {
        return switch (parser.standing()) {
            case JAILED -> Health.up().build();
            case UNJAILED -> Health.status(new Status("UPLOADS_UNJAILED")).build();
            case REFUSED -> Health.status(new Status("UPLOADS_REFUSED")).build();
        };
    }
}
