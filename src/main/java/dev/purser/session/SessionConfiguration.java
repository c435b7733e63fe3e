package dev.purser.session;

import dev.purser.dataset.FingerprintSecret;
import dev.purser.interactive.StateSeal;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SessionConfiguration {
    /** Instances that share a ledger have the same secret: the start checks this. */
    @Bean
    StateSeal stateSeal(FingerprintSecret secret) {
        return new StateSeal(secret.stateKey());
    }
}
