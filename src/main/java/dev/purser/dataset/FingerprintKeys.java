package dev.purser.dataset;

import dev.purser.journal.Chain;
import dev.purser.store.Database;
import dev.purser.store.KeyFile;
import dev.purser.store.KeyList;
import dev.purser.store.PurserHome;
import dev.purser.store.StartupRefusal;
import java.util.List;
import java.util.function.Supplier;

/**
 * The secrets by which rows and tables are recognized, newest first. New rows and tables are recorded under the newest
 * secret, and looked for under all secrets. The operator sets them as {@code PURSER_FINGERPRINT_KEY}, the same for all
 * instances of one ledger. Otherwise the first start draws a secret and stores it in the home, and {@link #rotate} puts
 * a newer secret before it.
 *
 * <p>The ledger keeps check values of all secrets under which something was recorded. The first of these secrets is the
 * ledger's own secret, at any place in the list. Other keys are derived from it, and no rotation changes them.
 */
public final class FingerprintKeys {
    private static final String FILE = "fingerprint.key";
    private static final String VARIABLE = "PURSER_FINGERPRINT_KEY";

    private final Supplier<List<FingerprintSecret>> known;
    private final FingerprintSecret first;

    /**
     * @param known the secrets, newest first
     * @throws StartupRefusal if something was recorded under another secret, so that its rows would not be recognized
     */
    FingerprintKeys(Supplier<List<FingerprintSecret>> known, Database database) {
        this.known = known;
        List<FingerprintSecret> secrets = known.get();
        List<String> used = database.write(Chain.ACCESS.name(), transaction -> {
            UsedKeys.add(transaction, 1, secrets.getFirst().checkValue());
            return UsedKeys.in(transaction);
        });
        if (!secrets.stream().map(FingerprintSecret::checkValue).toList().containsAll(used)) {
            throw new StartupRefusal(
                    used.size() == 1
                            ? "The fingerprint key is not the one that this ledger was created with."
                            : "A fingerprint key is missing: rows were recorded under one that is not known here.",
                    "Set " + VARIABLE + " to all keys of this ledger, the same for all instances, or restore " + FILE
                            + ".");
        }
        first = secrets.stream()
                .filter(secret -> secret.checkValue().equals(used.getFirst()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The configured secrets, or the secrets in the home. If the home has none, a secret is drawn there.
     *
     * @param configured 32 bytes in base64, with commas between secrets; or empty
     * @throws StartupRefusal if the secrets have another form, cannot be read, or are not the secrets of this ledger
     */
    static FingerprintKeys of(String configured, PurserHome home, Database database) {
        KeyList<byte[]> keys = KeyFile.secrets(home, FILE, configured, VARIABLE, () -> KeyFile.drawn(32));
        return new FingerprintKeys(
                () -> keys.now().stream().map(FingerprintSecret::new).toList(), database);
    }

    /**
     * Draws a new secret into the home.
     *
     * @throws StartupRefusal as {@link KeyFile#rotate}
     */
    public static void rotate(PurserHome home) {
        KeyFile.rotateSecrets(home, FILE, VARIABLE);
    }

    /** All secrets that are known now, newest first. */
    public List<FingerprintSecret> now() {
        return known.get();
    }

    /** The ledger's own secret, under which the first fingerprint was recorded. It never changes. */
    public FingerprintSecret first() {
        return first;
    }
}
