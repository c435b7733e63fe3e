package dev.purser.dataset;

import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Identifies an instance among the instances that share its ledger and its rows, across restarts. Unfinished work is
 * marked with the id, so that an instance that starts removes only its own work.
 *
 * @param value 32 hexadecimal digits
 */
public record InstanceId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{32}");

    public InstanceId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("an instance id has 32 hexadecimal digits");
        }
    }

    /** A new random id. */
    public static InstanceId draw() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return new InstanceId(HexFormat.of().formatHex(random));
    }

    /**
     * The id of this home, from {@code instance.id}; a new id on the first start.
     *
     * @throws StartupRefusal if the file holds something else or cannot be read
     */
    static InstanceId of(PurserHome home) {
        Path file = home.path().resolve("instance.id");
        try {
            if (!Files.exists(file)) {
                home.writePrivately(file, (draw().value() + "\n").getBytes(StandardCharsets.US_ASCII));
            }
            return new InstanceId(
                    Files.readString(file, StandardCharsets.ISO_8859_1).strip());
        } catch (IOException | IllegalArgumentException failure) {
            throw new StartupRefusal(
                    "The instance's id in " + file + " cannot be read: " + failure.getMessage(),
                    "Make the file readable to this user, or restore it from a backup of this home.",
                    failure);
        }
    }
}
