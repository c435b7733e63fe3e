package dev.purser;

import dev.purser.backup.Backup;
import dev.purser.backup.Restore;
import dev.purser.cli.Commands;
import dev.purser.cli.HomeCommands;
import dev.purser.cli.RotatedKey;
import dev.purser.ledger.LastBlocks;
import dev.purser.problem.FatalErrors;
import dev.purser.upload.parquet.ParquetToCsv;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.SpringProperties;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The privacy-budget server: differentially private answers over HTTP, and the books of every epsilon spent.
 *
 * <p>The excluded configurations would add things that this service has in another way. {@code store.Database} is the
 * only access to the ledger's database, so there is no {@code DataSource}. The keys of {@code access} decide who is
 * asking, so there is no user with a password. {@code watch} times requests, so single filters and handlers are not
 * observed.
 */
@SpringBootApplication(
        exclude = {
            DataSourceAutoConfiguration.class,
            UserDetailsServiceAutoConfiguration.class,
            ObservationAutoConfiguration.class
        })
@ConfigurationPropertiesScan
@EnableScheduling
public class PurserApplication {
    /**
     * How many platform threads carry the virtual threads that requests run on. A virtual thread that computes keeps
     * its carrier. With one carrier for each processor, a few long computations kept every other request and the
     * readiness probe waiting for tens of seconds. With more carriers, the operating system shares the processors among
     * them.
     */
    private static final int CARRIERS = 32;

    /** Starts the service, or runs the command that the arguments name. */
    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(ParquetToCsv.COMMAND)) {
            ParquetToCsv.run(arguments);
        }
        FatalErrors.install();
        Commands.run(new OnHome(), arguments).ifPresentOrElse(System::exit, () -> start(arguments));
    }

    private static ConfigurableApplicationContext start(String... arguments) {
        System.setProperty("jdk.virtualThreadScheduler.parallelism", String.valueOf(CARRIERS));
        if (isPackaged()) {
            SpringProperties.setFlag(AotDetector.AOT_ENABLED);
        }
        return SpringApplication.run(PurserApplication.class, arguments);
    }

    /** The commands on a home, with the settings of its service. */
    private static final class OnHome implements HomeCommands {
        /**
         * Starts the whole service, which cannot be reached from outside, so that the same settings and migrations
         * apply as at every start.
         */
        @Override
        public void acceptRestoredLedger(Map<String, String> lastBlocks, String... settings) {
            Stream<String> own = Stream.of("accept-restored-ledger", "--server.address=127.0.0.1", "--server.port=0");
            Stream<String> stated = lastBlocks.entrySet().stream().map(each -> "--last-block=" + each);
            Stream<String> others = Arrays.stream(settings).filter(setting -> !setting.startsWith("--server."));
            start(Stream.of(own, stated, others).flatMap(each -> each).toArray(String[]::new))
                    .close();
        }

        @Override
        public void backup(Path into, String... settings) {
            SettingsAlone.run(settings, Backup.class, backup -> backup.into(into));
        }

        @Override
        public void restore(Path from, boolean nothingLost, Map<String, String> lastBlocks, String... settings) {
            SettingsAlone.run(
                    settings, Restore.class, restore -> restore.from(from, nothingLost, new LastBlocks(lastBlocks)));
        }

        @Override
        public void rotate(RotatedKey key, String... settings) {
            SettingsAlone.run(settings, KeyRotation.class, rotation -> rotation.rotate(key));
        }
    }

    /**
     * Whether this runs from the packaged jar, which contains a context that the build prepared. A start from a folder
     * of classes creates its own context, because a context that an earlier build left there may be older than the
     * classes.
     */
    private static boolean isPackaged() {
        URL ownClass = Objects.requireNonNull(PurserApplication.class.getResource("PurserApplication.class"));
        return ownClass.getProtocol().equals("jar");
    }
}
