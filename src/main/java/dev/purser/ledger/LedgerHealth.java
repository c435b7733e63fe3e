package dev.purser.ledger;

import dev.purser.store.Database;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Reports the service as down while a small write to the ledger fails. No question can be answered then. */
@Component
class LedgerHealth implements HealthIndicator {
    private final Database database;

    LedgerHealth(Database database) {
        this.database = database;
    }

    @Override
    public Health health() {
        return database.isHealthy() ? Health.up().build() : Health.down().build();
    }
}
