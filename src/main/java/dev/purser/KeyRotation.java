package dev.purser;

import dev.purser.cli.RotatedKey;
import dev.purser.dataset.DatasetSettings;
import dev.purser.dataset.FingerprintKeys;
import dev.purser.ledger.proof.SigningKeys;
import dev.purser.ledger.proof.SigningSettings;
import dev.purser.session.SessionSettings;
import dev.purser.session.StateSeal;
import dev.purser.store.PurserHome;
import dev.purser.store.Secret;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Draws new keys into the home of a service that may run. It does not need the lock on the home. */
record KeyRotation(StoreSettings store, DatasetSettings rows, SigningSettings signing, SessionSettings sessions) {
    private static final Logger log = LoggerFactory.getLogger(KeyRotation.class);

    /** @throws StartupRefusal if the home does not have the key, or the key cannot be replaced */
    void rotate(RotatedKey key) {
        switch (key) {
            case SIGNING -> rotate(key, signing.signingKey(), SigningKeys::rotate);
            case FINGERPRINT -> rotate(key, rows.fingerprintKey(), FingerprintKeys::rotate);
            case SEALING -> {
                requireOneInstance();
                rotate(key, sessions.sealingKey(), StateSeal::rotate);
            }
        }
    }

    private void rotate(RotatedKey key, Secret configured, Consumer<PurserHome> rotation) {
        if (!configured.text().isBlank()) {
            throw new StartupRefusal(
                    "The key is set as purser." + key + "-key and not in the home.",
                    "Add a new one to the setting, as docs/operating.md says.");
        }
        rotation.accept(existing());
        log.info("There is a new {} key in {}.", key, store.home());
    }

    /** Instances with one configured fingerprint key have the same first sealing key, each in its home. */
    private void requireOneInstance() {
        if (!rows.fingerprintKey().text().isBlank()
                && sessions.sealingKey().text().isBlank()) {
            throw new StartupRefusal(
                    "A key in the home is not known to other instances, and purser.fingerprint-key is set as for"
                            + " several.",
                    "Set PURSER_SEALING_KEY to the content of sealing.key and a new key, as docs/operating.md says.");
        }
    }

    private PurserHome existing() {
        Path home = Path.of(store.home());
        if (!Files.isDirectory(home)) {
            throw new StartupRefusal(
                    "There is no home " + home.toAbsolutePath().normalize() + ".",
                    "Run the command with the settings of the service, above all PURSER_HOME.");
        }
        PurserHome.requireRestored(home);
        return new PurserHome(home);
    }
}
