package dev.purser.access;

import dev.purser.digest.Sha256;
import dev.purser.store.KeyFile;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The key that permits everything. The operator sets it as {@code PURSER_ADMIN_KEY}. Otherwise the first start draws a
 * key and keeps it in the home. Only its digest stays in memory.
 */
@Component
final class AdministratorKey {
    static final int MIN_LENGTH = 16;
    private static final int MAX_LENGTH = 512;
    private static final String REMEDY = "Make the file readable to this user, or set PURSER_ADMIN_KEY.";

    private final byte[] digest;
    private final String origin;

    @Autowired
    AdministratorKey(AccessSettings settings, PurserHome home) {
        this(settings.adminKey().text(), home);
    }

    /** @param configured the key; empty for the key in the home */
    AdministratorKey(String configured, PurserHome home) {
        if (configured.isEmpty()) {
            KeyFile file = new KeyFile(home, "admin.key", "The administrator key", REMEDY);
            String key =
                    file.text(StandardCharsets.UTF_8, AdministratorKey::drawn).strip();
            this.digest = sha256(checked(key, "The key in " + file.path()));
            this.origin = "in the file " + file.path();
        } else {
            this.digest = sha256(checked(configured, "PURSER_ADMIN_KEY"));
            this.origin = "the one set as PURSER_ADMIN_KEY";
        }
    }

    /** Takes the same time for every key of the same length. */
    boolean matches(String presented) {
        return MessageDigest.isEqual(digest, sha256(presented));
    }

    /** Where the operator finds the key. */
    String origin() {
        return origin;
    }

    private static byte[] drawn() {
        String random = Base64.getUrlEncoder().withoutPadding().encodeToString(KeyFile.drawn(32));
        return ("purser_" + random + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static String checked(String key, String place) {
        boolean sendable = key.chars().allMatch(c -> c > ' ' && c < 127);
        if (key.length() < MIN_LENGTH || key.length() > MAX_LENGTH || !sendable) {
            throw new StartupRefusal(
                    place + " must have " + MIN_LENGTH + " to " + MAX_LENGTH + " visible ASCII characters, "
                            + (sendable ? "has " + key.length() : "has other characters") + ".",
                    "Set a longer random key, for example the output of: openssl rand -hex 32");
        }
        return key;
    }

    private static byte[] sha256(String text) {
        return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
