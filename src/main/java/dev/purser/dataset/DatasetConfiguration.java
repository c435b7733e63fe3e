package dev.purser.dataset;

import dev.purser.access.Allotments;
import dev.purser.dataset.ingest.CsvIngest;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The rows' folder, {@code datasets} in the home, and what writes to it. */
@Configuration(proxyBeanMethods = false)
class DatasetConfiguration {
    @Bean
    DatasetFiles datasetFiles(PurserHome home) throws IOException {
        return new DatasetFiles(home.directory("datasets"));
    }

    @Bean
    CsvIngest csvIngest(UploadSettings settings) {
        return new CsvIngest(new RowsDatabase.Limits(settings.memoryMegabytes(), settings.threads()));
    }

    /** No dataset divides its limit between analysts. */
    @Bean
    Allotments allotments() {
        return principal -> List.of();
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
