package dev.purser.ledger.proof;

import dev.purser.journal.JournalCheck;
import dev.purser.journal.JournaledRows;
import dev.purser.ledger.JournaledForTests;
import dev.purser.ledger.LastBlocks;
import dev.purser.session.OpenInteractions;
import dev.purser.store.Database;
import dev.purser.store.LedgerSettings;
import dev.purser.store.MacKey;
import dev.purser.store.PurserHome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The database of a home as the service opens it: the ledger is verified, and commits are anchored. */
public final class GuardedDatabase {
    private GuardedDatabase() {}

    /** The anchor of a home whose keys are in the home. */
    static Anchor anchor(PurserHome home) {
        return anchor(home, LedgerSettings.embedded());
    }

    /** The anchor of a home, with a database that several homes can share. */
    static Anchor anchor(PurserHome home, LedgerSettings settings) {
        return Anchor.read(home, MacKey.of(home, settings));
    }

    /** The deciding rows of questions and of interactive mechanisms. */
    public static List<JournaledRows> kinds() {
        return Stream.concat(JournaledForTests.questions(), OpenInteractions.journaled())
                .toList();
    }

    /** The check of these deciding rows. */
    public static JournalCheck journal() {
        return new JournalCheck(kinds());
    }

    public static Database open(Path folder) throws SQLException {
        return open(new PurserHome(folder), LedgerSettings.embedded(), journal());
    }

    /** Opens any database, with a check of any deciding rows. */
    public static Database open(PurserHome home, LedgerSettings settings, JournalCheck journal) throws SQLException {
        Database database = new Database(home, settings);
        try {
            guard(database, home, settings, journal);
        } catch (RuntimeException refusal) {
            database.close();
            throw refusal;
        }
        return database;
    }

    /** Does what a start does with an open database. */
    public static void guard(Database database, PurserHome home, LedgerSettings settings, JournalCheck journal) {
        guard(database, home, settings, !settings.isEmbedded(), journal);
    }

    /** @param mayBeginAnew whether a ledger with accounts is accepted without an anchor */
    public static void guard(
            Database database, PurserHome home, LedgerSettings settings, boolean mayBeginAnew, JournalCheck journal) {
        LedgerGuard.open(database, anchor(home, settings), mayBeginAnew, journal);
    }

    /** Accepts an open database without an anchor, as the command accept-restored-ledger does. */
    public static void accept(Database database, PurserHome home) {
        LedgerGuard.accept(
                database,
                null,
                new LastBlocks(Map.of()),
                Anchor.anew(home, database.key()),
                Clock.systemUTC(),
                journal());
    }

    /** The receipts of a home whose signing keys are in the home. */
    public static Receipts receipts(Database database, PurserHome home) {
        return new Receipts(database, SigningKeys.of(home, ""), Clock.systemUTC());
    }
}
