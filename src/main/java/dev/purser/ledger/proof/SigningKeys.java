package dev.purser.ledger.proof;

import dev.purser.store.KeyFile;
import dev.purser.store.KeyList;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The service's signing keys, newest first. The newest key signs receipts. The operator sets the keys as
 * {@code PURSER_SIGNING_KEY}, the same for all instances on one ledger. Otherwise the first start draws a key and
 * stores it in the home as {@code signing.key}, and {@link #rotate} puts a newer key before it. The file
 * {@code signing.pub} has the public keys of all of them, for distribution: receipts of earlier keys verify with it.
 */
public final class SigningKeys {
    private static final String VARIABLE = "PURSER_SIGNING_KEY";
    private static final String REMEDY =
            "Restore the file from a backup, readable to this user, or set " + VARIABLE + ".";

    private final KeyList<SigningKey> keys;

    private SigningKeys(KeyList<SigningKey> keys) {
        this.keys = keys;
    }

    /**
     * The keys of this home.
     *
     * @param configured PKCS#8 as PEM or as base64 alone, with commas between keys; empty for the keys in the home
     * @throws StartupRefusal if a key is not an Ed25519 key, or the keys cannot be read
     */
    public static SigningKeys of(PurserHome home, String configured) {
        KeyFile file = file(home);
        KeyList<SigningKey> keys;
        if (configured.isBlank()) {
            file.text(StandardCharsets.ISO_8859_1, SigningKey::drawn);
            keys = KeyList.in(file, SigningKeys::parsed);
        } else {
            keys = KeyList.configured(
                    configured, VARIABLE, "Make one with: openssl genpkey -algorithm ed25519", SigningKeys::parsed);
        }
        try {
            keepPublicKeys(home, keys.now());
            return new SigningKeys(keys);
        } catch (IOException failure) {
            throw file.unreadable(failure);
        }
    }

    /**
     * Draws a new key into the home. Its public key is in {@code signing.pub} before anything can be signed with it.
     *
     * @throws StartupRefusal as {@link KeyFile#rotate}
     */
    public static void rotate(PurserHome home) {
        file(home).rotate(present -> {
            byte[] drawn = SigningKey.drawn();
            List<SigningKey> all = new ArrayList<>(parsed(new String(drawn, StandardCharsets.US_ASCII)));
            all.addAll(parsed(present));
            keepPublicKeys(home, all);
            return drawn;
        });
    }

    private static KeyFile file(PurserHome home) {
        return new KeyFile(home, "signing.key", "The signing key", REMEDY);
    }

    private static List<SigningKey> parsed(String text) {
        return Pem.parts(text).stream().map(SigningKey::parsed).toList();
    }

    private static void keepPublicKeys(PurserHome home, List<SigningKey> keys) throws IOException {
        Path file = home.path().resolve("signing.pub");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (SigningKey key : keys) {
            all.write(Pem.text("PUBLIC KEY", key.publicKey().getEncoded()));
        }
        byte[] text = all.toByteArray();
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), text)) {
            home.writePrivately(file, text);
        }
    }

    /** The key that signs now. */
    SigningKey newest() {
        return keys.newest();
    }

    /** All keys, newest first. */
    List<SigningKey> all() {
        return keys.now();
    }
}
