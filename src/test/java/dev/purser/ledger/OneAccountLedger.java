package dev.purser.ledger;

import dev.purser.store.LedgerSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of an open ledger, whose one account has a limit of epsilon 1. */
public abstract class OneAccountLedger {
    @TempDir
    protected Path home;

    @AutoClose
    protected OpenLedger open;

    /** The settings of an empty database. */
    protected LedgerSettings settings() {
        return LedgerSettings.embedded();
    }

    @BeforeEach
    final void openLedger() {
        open = new OpenLedger(home, settings()).withAccount(OpenLedger.ACCOUNT, "1");
    }
}
