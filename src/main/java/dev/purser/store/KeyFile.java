package dev.purser.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A file of the home that keeps a secret, or several, newest first, with mode 0600. The first reader makes the secret,
 * durably; afterwards only {@link #rotate} writes the file. A file that an operator put there keeps its mode until a
 * rotation, because other users cannot enter the home. Two processes that start on a new home could each make a secret.
 * Code that depends on the open {@link Database} runs in the only process in the home.
 *
 * @param what the secret, as a refusal names it at the beginning of a sentence
 * @param remedy what to do if the file cannot be read
 */
public record KeyFile(PurserHome home, String name, String what, String remedy) {
    private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");

    public Path path() {
        return home.path().resolve(name);
    }

    /**
     * The text of the file, which the caller checks.
     *
     * @param made makes the bytes of the file if there is no file
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

    /** Draws a new secret. */
    @FunctionalInterface
    public interface Drawing {
        /**
         * Gives the lines of a new secret.
         *
         * @param present the text of the file
         * @throws IllegalArgumentException if this is not the text of such a file; the message is a rule
         */
        byte[] draw(String present) throws IOException;
    }

    /**
     * Puts a new secret before the secrets that the file has. The file is replaced as a whole. A simultaneous reader
     * finds the old secrets alone, or all secrets.
     *
     * @throws StartupRefusal if there is no file to put it in, it is damaged or cannot be replaced, or another rotation
     *     runs
     */
    public void rotate(Drawing drawing) {
        if (!Files.exists(path())) {
            throw new StartupRefusal(
                    "There is no " + name + " in " + home.path() + ".",
                    "Run the command with the settings of the service, above all PURSER_HOME, after its first start.");
        }
        try {
            Path lock = home.path().resolve("rotation.lock");
            PurserHome.createPrivately(lock);
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
                // Two rotations at once could each drop the other's new secret, which the service may already have
                // used.
                if (channel.tryLock() == null) {
                    throw new StartupRefusal("Another key of this home is being rotated.", "Try again.");
                }
                String present = Files.readString(path(), StandardCharsets.ISO_8859_1);
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                all.write(drawing.draw(present));
                all.write(present.getBytes(StandardCharsets.ISO_8859_1));
                home.writePrivately(path(), all.toByteArray());
            }
        } catch (IllegalArgumentException rule) {
            throw new StartupRefusal(what + " in " + path() + " " + rule.getMessage() + ".", remedy);
        } catch (IOException | UncheckedIOException failure) {
            throw new StartupRefusal(what + " in " + path() + " cannot be replaced: " + failure, remedy, failure);
        }
    }

    /**
     * Keys of 32 bytes, kept as base64: the configured keys, with commas between them, or the keys in the home, a line
     * each. Instances that share a database have homes of their own, so they share these keys only if the operator
     * configures them.
     *
     * @param configured the keys in the setting; empty for the keys in the file
     * @param variable the name of the setting, for refusals
     * @param first makes the first key of a new file
     * @throws StartupRefusal if the keys have another form or cannot be read
     */
    public static KeyList<byte[]> secrets(
            PurserHome home, String name, String configured, String variable, Supplier<byte[]> first) {
        if (!configured.isEmpty()) {
            return KeyList.configured(
                    configured,
                    variable,
                    "Set 32 random bytes in base64, for example the output of: openssl rand -base64 32",
                    KeyFile::decoded);
        }
        KeyFile file = ofSecrets(home, name, variable);
        file.text(StandardCharsets.ISO_8859_1, () -> line(first.get()));
        return KeyList.in(file, KeyFile::decoded);
    }

    /**
     * Draws a new key into a file of {@link #secrets}.
     *
     * @throws StartupRefusal as {@link #rotate}
     */
    public static void rotateSecrets(PurserHome home, String name, String variable) {
        ofSecrets(home, name, variable).rotate(present -> {
            decoded(present);
            return line(drawn(32));
        });
    }

    private static KeyFile ofSecrets(PurserHome home, String name, String variable) {
        String restore = "Restore the file from a backup, readable to this user, or set " + variable + ".";
        return new KeyFile(home, name, "The key", restore);
    }

    private static byte[] line(byte[] secret) {
        return (Base64.getEncoder().encodeToString(secret) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Bytes of a new secret. */
    public static byte[] drawn(int length) {
        byte[] random = new byte[length];
        new SecureRandom().nextBytes(random);
        return random;
    }

    private static List<byte[]> decoded(String text) {
        return SEPARATOR.splitAsStream(text.strip()).map(KeyFile::decodedOne).toList();
    }

    private static byte[] decodedOne(String base64) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException quotesTheKey) {
            throw new IllegalArgumentException("must be base64");
        }
        if (secret.length != 32) {
            throw new IllegalArgumentException("must have 32 bytes, has " + secret.length);
        }
        return secret;
    }
}
