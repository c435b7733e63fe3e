package dev.purser.dataset;

import dev.purser.ledger.BudgetLedger;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The folder of the rows and the secrets that belong to it. The folder is {@code datasets} in the home unless
 * {@code PURSER_DATA} names a folder that all instances of one ledger share.
 */
@Configuration(proxyBeanMethods = false)
class DatasetConfiguration {
    @Bean
    InstanceId instanceId(PurserHome home) {
        return InstanceId.of(home);
    }

    @Bean
    DatasetFiles datasetFiles(DatasetSettings settings, PurserHome home, InstanceId instance) {
        try {
            return new DatasetFiles(settings.root(home), instance);
        } catch (IOException | InvalidPathException failure) {
            throw new StartupRefusal(
                    "The folder of the rows cannot be used: " + failure,
                    "Set PURSER_DATA to a folder that this user owns and may write, or leave it out.",
                    failure);
        }
    }

    /** @param ledger the ledger, whose guard has to compare the journal with the database first */
    @Bean
    FingerprintKeys fingerprintKeys(
            DatasetSettings settings,
            PurserHome home,
            Database database,
            @SuppressWarnings("unused") BudgetLedger ledger) {
        return FingerprintKeys.of(settings.fingerprintKey().text(), home, database);
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
