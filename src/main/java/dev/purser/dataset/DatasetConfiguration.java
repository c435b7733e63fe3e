package dev.purser.dataset;

import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.dataset.ingest.UploadParser;
import dev.purser.dataset.jail.JailedParser;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The rows' folder, and what writes to it. It is {@code datasets} in the home unless {@code PURSER_DATA} names another, which
 * all instances of one ledger share.
 */
@Configuration(proxyBeanMethods = false)
class DatasetConfiguration {
    private static final Duration REST_OF_PARSERS = Duration.ofSeconds(10);

    @Bean
    InstanceId instanceId(PurserHome home) {
        return InstanceId.of(home);
    }

    @Bean
    DatasetFiles datasetFiles(@Value("${purser.data:}") String configured, PurserHome home, InstanceId instance) {
        try {
            Path root = configured.isEmpty() ? home.directory("datasets") : Path.of(configured);
            return new DatasetFiles(root, instance);
        } catch (IOException | InvalidPathException failure) {
            throw new StartupRefusal(
                    "The folder of the rows cannot be used: " + failure,
                    "Set PURSER_DATA to a folder that this user owns and may write, or leave it out.",
                    failure);
        }
    }

    @Bean
    FingerprintSecret fingerprintSecret(@Value("${purser.fingerprint-key:}") String configured, PurserHome home) {
        return FingerprintSecret.of(configured, home);
    }

    @Bean
    JailedParser uploadParser(
            UploadSettings settings, @Value("${purser.unjailed:false}") boolean unjailed, PurserHome home)
            throws IOException {
        return new JailedParser(home.directory("parser"), settings.maxParsers(), unjailed, REST_OF_PARSERS);
    }

    @Bean
    CsvIngest csvIngest(UploadSettings settings, FingerprintSecret secret, UploadParser parser) {
        return new CsvIngest(secret.bytes(), parser, settings.maxFile());
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
