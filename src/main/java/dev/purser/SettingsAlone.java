package dev.purser;

import dev.purser.backup.Backup;
import dev.purser.backup.Restore;
import dev.purser.journal.JournalCheck;
import dev.purser.settings.UnreadSettings;
import dev.purser.store.StartupRefusal;
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

/**
 * A part of the service: its settings, read and checked as at its start, the descriptions of what the journal records,
 * and the classes that work on a home.
 */
@ConfigurationPropertiesScan
@Import({UnreadSettings.class, JournalCheck.class, Backup.class, Restore.class, KeyRotation.class})
@ComponentScan(
        useDefaultFilters = false,
        includeFilters = @Filter(type = FilterType.REGEX, pattern = SettingsAlone.JOURNALED))
final class SettingsAlone {
    /** The classes that describe what the journal records. They depend on no other bean. */
    static final String JOURNALED = "dev\\.purser\\.(?!journal\\.)\\w+\\.Journaled\\w+";

    private static final Logger log = LoggerFactory.getLogger(SettingsAlone.class);

    /**
     * Work with an object that is made from these settings: a {@code Backup}, a {@code Restore} or a
     * {@link KeyRotation}.
     */
    @FunctionalInterface
    interface Work<T> {
        void with(T made) throws IOException;
    }

    private SettingsAlone() {}

    /** Runs the work. A failure is logged before it is thrown. */
    static <T> void run(String[] settings, Class<T> type, Work<T> work) {
        SpringApplicationBuilder alone = new SpringApplicationBuilder(SettingsAlone.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(Map.of("logging.pattern.console", "%m%n", "logging.level.root", "warn"))
                .properties(Map.of("logging.level.dev.purser", "info"));
        try (ConfigurableApplicationContext context = alone.run(settings)) {
            runLogged(work, context.getBean(type));
        }
    }

    private static <T> void runLogged(Work<T> work, T made) {
        try {
            work.with(made);
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
