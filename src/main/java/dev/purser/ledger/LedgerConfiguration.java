package dev.purser.ledger;

import dev.purser.store.Database;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The ledger in service: the system's clock and its own secure random source. */
@Configuration(proxyBeanMethods = false)
class LedgerConfiguration {
    @Bean
    BudgetLedger budgetLedger(Database database) {
        return new BudgetLedger(database, Clock.systemUTC(), new SecureRandom());
    }
}
