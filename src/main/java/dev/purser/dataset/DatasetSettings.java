package dev.purser.dataset;

import dev.purser.store.PurserHome;
import dev.purser.store.Secret;
import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the rows, as {@code purser.data} and {@code purser.fingerprint-key}.
 *
 * @param data the folder of the rows; if it is empty, {@code datasets} in the home
 * @param fingerprintKey the keys of fingerprints, newest first, 32 bytes in base64 with commas between them; if it is
 *     empty, the keys in the home
 */
@ConfigurationProperties("purser")
public record DatasetSettings(
        @DefaultValue("") String data, @DefaultValue("") Secret fingerprintKey) {
    /** The folder of the rows. */
    public Path root(PurserHome home) {
        return data.isEmpty() ? home.directory("datasets") : Path.of(data);
    }
}
