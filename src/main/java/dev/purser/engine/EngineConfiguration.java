package dev.purser.engine;

import dev.purser.dataset.DatasetCatalog;
import dev.purser.dataset.DatasetDeleted;
import dev.purser.dataset.DatasetFiles;
import dev.purser.dataset.FingerprintKeys;
import dev.purser.tables.TableConnections;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The configured engines. */
@Configuration(proxyBeanMethods = false)
class EngineConfiguration {
    @Bean
    EmbeddedEngine embeddedEngine(DatasetFiles files, DatasetCatalog catalog, EngineSettings settings) {
        return new EmbeddedEngine(
                files,
                catalog::rowsDigest,
                new EmbeddedEngine.Settings(settings.threads(), settings.maxOpen(), settings.timeout()));
    }

    @Bean
    TableEngine tableEngine(TableConnections connections, FingerprintKeys keys, EngineSettings settings) {
        return new TableEngine(connections, keys.first(), settings.timeout());
    }

    @Bean
    DataEngines dataEngines(EmbeddedEngine uploads, TableEngine tables, MeterRegistry meters) {
        return new DataEngines(new TimedEngine(uploads, "upload", meters), new TimedEngine(tables, "table", meters));
    }

    /** Closes a dataset's file before it is removed. */
    @Component
    static class Forgetting {
        private final EmbeddedEngine engine;

        Forgetting(EmbeddedEngine engine) {
            this.engine = engine;
        }

        @EventListener
        void on(DatasetDeleted deleted) {
            engine.forget(deleted.id());
        }
    }
}
