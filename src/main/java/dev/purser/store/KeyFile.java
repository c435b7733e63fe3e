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
 * A file of the home that keeps a secret. Whoever reads it first makes the secret; afterwards the file is never
 * written. A secret that was returned is durable. If we stop before, the next start makes another one.
 *
 * <p>A file made here has mode 0600. A file that an operator put there keeps its mode; others cannot enter the home.
 *
 * <p>Two processes that start on a new home could each make a secret, and one file would replace the other. Whoever
 * depends on the open {@link Database} holds the home's lock and is alone.
 */
public final class KeyFile {
    private static final int SECRET_BYTES = 32;
    private static final String MAKE_ONE = "for example the output of: openssl rand -base64 32";

    private final PurserHome home;
    private final Path path;
    private final String what;
    private final String remedy;

    /**
     * Touches no file.
     *
     * @param what the secret, as the refusal names it at the beginning of a sentence
     * @param remedy what to do if the file cannot be read
     */
    public KeyFile(PurserHome home, String name, String what, String remedy) {
        this.home = home;
        this.path = home.path().resolve(name);
        this.what = what;
        this.remedy = remedy;
    }

    public Path path() {
        return path;
    }

    /**
     * The text of the file, which the caller checks.
     *
     * @param made gives the bytes of the file if there is none
     * @throws StartupRefusal if the file cannot be read, or is not text in this charset
     */
    public String text(Charset charset, Supplier<byte[]> made) {
        try {
            if (!Files.exists(path)) {
                home.writePrivately(path, made.get());
            }
            return Files.readString(path, charset);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    public StartupRefusal unreadable(IOException failure) {
        return new StartupRefusal(what + " in " + path + " cannot be read: " + failure, remedy, failure);
    }

    /**
     * 32 bytes that are kept as base64: the configured ones, or else those in the home, drawn if there are none.
     * Instances that share a database have homes of their own, so they share these bytes only if they are configured.
     *
     * @param configured 32 bytes in base64, or empty for the file
     * @param variable the name of the setting, for refusals
     * @throws StartupRefusal if they have another form or cannot be read
     */
    public static byte[] secret(PurserHome home, String name, String configured, String variable) {
        if (!configured.isEmpty()) {
            return decoded(configured, variable, "Set 32 random bytes in base64, " + MAKE_ONE);
        }
        String restore = "Restore the file from a backup, readable to this user, or set " + variable + ".";
        KeyFile file = new KeyFile(home, name, "The key", restore);
        String text = file.text(StandardCharsets.ISO_8859_1, KeyFile::drawnSecret);
        return decoded(text.strip(), "The key in " + file.path, restore);
    }

    private static byte[] drawnSecret() {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        return (Base64.getEncoder().encodeToString(random) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] decoded(String base64, String place, String action) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            // The cause is left out because it quotes characters of the key.
            throw new StartupRefusal(place + " must be base64.", action);
        }
        if (secret.length != SECRET_BYTES) {
            throw new StartupRefusal(
                    place + " must have " + SECRET_BYTES + " bytes, has " + secret.length + ".", action);
        }
        return secret;
    }
}
