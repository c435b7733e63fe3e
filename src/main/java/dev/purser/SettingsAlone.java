package dev.purser;

import dev.purser.dataset.DatasetSettings;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.SigningSettings;
import dev.purser.settings.UnreadSettings;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;

/** The settings of the service, read and checked as at its start, and what the journal records; nothing else of it. */
@ConfigurationPropertiesScan
@Import({UnreadSettings.class, JournalCheck.class})
@ComponentScan(
        useDefaultFilters = false,
        includeFilters = @Filter(type = FilterType.REGEX, pattern = SettingsAlone.JOURNALED))
final class SettingsAlone {
    /** The classes that say what the journal records: they depend on nothing. */
    static final String JOURNALED = "dev\\.purser\\.(?!journal\\.)\\w+\\.Journaled\\w+";

    private static final Logger log = LoggerFactory.getLogger(SettingsAlone.class);

    /** Does something with the home that the settings name. */
    @FunctionalInterface
    interface Work {
        void with(Read settings) throws IOException;
    }

    /** Makes what works on a home. */
    @FunctionalInterface
    interface OnHome<T> {
        T of(StoreSettings store, DatasetSettings rows, SigningSettings signing, JournalCheck journal);
    }

    /** The settings that were read. */
    record Read(ConfigurableApplicationContext context) {
        <T> T make(OnHome<T> onHome) {
            return onHome.of(
                    context.getBean(StoreSettings.class),
                    context.getBean(DatasetSettings.class),
                    context.getBean(SigningSettings.class),
                    context.getBean(JournalCheck.class));
        }
    }

    private SettingsAlone() {}

    /** Runs the work; logs a failure before it is thrown. */
    static void run(String[] settings, Work work) {
        SpringApplicationBuilder alone = new SpringApplicationBuilder(SettingsAlone.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(Map.of("logging.pattern.console", "%m%n", "logging.level.root", "warn"))
                .properties(Map.of("logging.level.dev.purser", "info"));
        try (ConfigurableApplicationContext context = alone.run(settings)) {
            runLogged(work, new Read(context));
        }
    }

    private static void runLogged(Work work, Read settings) {
        try {
            work.with(settings);
        } catch (StartupRefusal refusal) {
            log.error("{} {}", refusal.getMessage(), refusal.action());
            throw refusal;
        } catch (IOException failure) {
            log.error("A file cannot be read or written: {}", failure.toString());
            throw new UncheckedIOException(failure);
        } catch (RuntimeException failure) {
            log.error("The command failed.", failure);
            throw failure;
        }
    }
}
