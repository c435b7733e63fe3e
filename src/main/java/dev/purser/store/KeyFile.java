package dev.purser.store;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Supplier;

/**
 * A file of the home that keeps a secret, with mode 0600. The first reader makes the secret, durably; afterwards the
 * file is never written. A file that an operator put there keeps its mode; others cannot enter the home. Two processes
 * that start on a new home could each make a secret; whoever depends on the open {@link Database} is alone in the home.
 *
 * @param what the secret, as a refusal names it at the beginning of a sentence
 * @param remedy what to do if the file cannot be read
 */
public record KeyFile(PurserHome home, String name, String what, String remedy) {
    public Path path() {
        return home.path().resolve(name);
    }

    /**
     * The text of the file, which the caller checks.
     *
     * @param made gives the bytes of the file if there is none
     * @throws StartupRefusal if the file cannot be read, or is not text in this charset
     */
    public String text(Charset charset, Supplier<byte[]> made) {
        try {
            if (!Files.exists(path())) {
                home.writePrivately(path(), made.get());
            }
            return Files.readString(path(), charset);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    public StartupRefusal unreadable(IOException failure) {
        return new StartupRefusal(what + " in " + path() + " cannot be read: " + failure, remedy, failure);
    }

    /**
     * 32 bytes, kept as base64: the configured ones, or those in the home, drawn if there are none. Instances that
     * share a database have homes of their own, so they share these bytes only if they are configured.
     *
     * @param configured empty for the file
     * @param variable the name of the setting, for refusals
     * @throws StartupRefusal if they have another form or cannot be read
     */
    public static byte[] secret(PurserHome home, String name, String configured, String variable) {
        if (!configured.isEmpty()) {
            String example = "for example the output of: openssl rand -base64 32";
            return decoded(configured, variable, "Set 32 random bytes in base64, " + example);
        }
        String restore = "Restore the file from a backup, readable to this user, or set " + variable + ".";
        KeyFile file = new KeyFile(home, name, "The key", restore);
        String text = file.text(
                StandardCharsets.ISO_8859_1,
                () -> (Base64.getEncoder().encodeToString(drawn(32)) + "\n").getBytes(StandardCharsets.US_ASCII));
        return decoded(text.strip(), "The key in " + file.path(), restore);
    }

    /** Bytes of a new secret. */
    public static byte[] drawn(int length) {
        byte[] random = new byte[length];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private static byte[] decoded(String base64, String place, String action) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            // The cause is left out because it quotes characters of the key.
            throw new StartupRefusal(place + " must be base64.", action);
        }
        if (secret.length != 32) {
            throw new StartupRefusal(place + " must have 32 bytes, has " + secret.length + ".", action);
        }
        return secret;
    }
}
