package dev.purser;

import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.core.SpringProperties;
import org.springframework.util.ClassUtils;

/**
 * The privacy-budget server: differentially private answers over HTTP, and the books of every epsilon spent.
 *
 * <p>There is no {@code DataSource} for the taking: the one way into the ledger's database is {@code store.Database}.
 * Neither is there a user with a password: who is asking is decided by the keys of {@code access}.
 */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class})
@ConfigurationPropertiesScan
public class PurserApplication {
    private static final String PREPARED = "dev.purser.PurserApplication__ApplicationContextInitializer";

    public static void main(String[] arguments) {
        // The packaged jar carries a context that the build worked out; a start from an editor or a test makes its own.
        if (ClassUtils.isPresent(PREPARED, PurserApplication.class.getClassLoader())) {
            SpringProperties.setFlag(AotDetector.AOT_ENABLED);
        }
        SpringApplication.run(PurserApplication.class, arguments);
    }
}
