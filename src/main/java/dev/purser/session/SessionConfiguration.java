package dev.purser.session;

import dev.purser.dataset.FingerprintKeys;
import dev.purser.store.PurserHome;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SessionConfiguration {
    /** Instances that share a ledger have the same first key: the start checks this. */
    @Bean
    StateSeal stateSeal(SessionSettings settings, PurserHome home, FingerprintKeys fingerprints) {
        return StateSeal.of(
                home, settings.sealingKey().text(), fingerprints.first().stateKey());
    }
}
