package dev.purser.store;

import java.nio.file.Path;
import java.sql.SQLException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the store, as {@code purser.home} and {@code purser.ledger.*}.
 *
 * @param home the folder of all state
 * @param ledger which database holds the ledger
 */
@ConfigurationProperties("purser")
public record StoreSettings(
        @DefaultValue("./purser-home") String home,
        @DefaultValue LedgerSettings ledger) {
    /**
     * Requires that the configured database has a ledger. Creates nothing.
     *
     * @throws StartupRefusal if the configured database has no ledger
     */
    public void requireLedger() {
        Storage storage = Storage.of(Path.of(home).toAbsolutePath().normalize(), ledger);
        String action =
                "Run the command with the settings of the service, above all PURSER_HOME and PURSER_LEDGER_URL.";
        try {
            if (!storage.hasLedger()) {
                throw new StartupRefusal("There is no ledger in " + storage.name() + ".", action);
            }
        } catch (SQLException failure) {
            throw new StartupRefusal(
                    "The ledger's database " + storage.name() + " cannot be opened: " + failure.getMessage(),
                    action,
                    failure);
        }
    }
}
