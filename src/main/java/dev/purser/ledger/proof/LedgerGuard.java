package dev.purser.ledger.proof;

import dev.purser.journal.Chain;
import dev.purser.journal.Head;
import dev.purser.journal.Journal;
import dev.purser.journal.JournalCheck;
import dev.purser.ledger.BooksForProof;
import dev.purser.ledger.ChainVerification;
import dev.purser.ledger.ChainVerifier;
import dev.purser.ledger.Forfeiture;
import dev.purser.ledger.LastBlocks;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.privacy.StatedAmount;
import dev.purser.store.Database;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a database may be written. All its books have to be sound, and it has to contain everything that the
 * {@link Anchor} confirmed. A database that was restored from a backup, or lost its last entries in a failover, is
 * refused. The answers given since are public, and the restored books would allow the same budget to be spent again.
 */
final class LedgerGuard {
    static final String LAST_RESORT = "If it is lost, start once with the command accept-restored-ledger. It charges"
            + " every account that it cannot verify all that remains.";

    private static final Logger log = LoggerFactory.getLogger(LedgerGuard.class);
    private static final String RESTORE = "Restore the newest copy of the database. ";

    private LedgerGuard() {}

    /**
     * Verifies the database, replaces the anchor, and confirms every commit from now on.
     *
     * @param mayBeginAnew whether a ledger with accounts is accepted without an anchor. A new instance that joins a
     *     shared ledger has no anchor yet
     * @throws StartupRefusal if the database must not be written
     */
    static void open(Database database, Anchor anchor, boolean mayBeginAnew, JournalCheck journal) {
        List<ChainVerifier> withBlocks = new ArrayList<>();
        Map<String, Head> heads = verifiedHeads(database, withBlocks::add);
        if (!heads.isEmpty() && !anchor.wasFound() && !mayBeginAnew) {
            throw new StartupRefusal(
                    "The ledger has accounts, and its anchor ledger.anchor is missing from the home.",
                    "Restore the anchor beside the database. " + LAST_RESORT);
        }
        database.onConnect(connection -> requireNothingLost(connection, anchor, journal));
        database.write(Database.NO_ACCOUNT, connection -> {
            withBlocks.forEach(new BooksForProof(connection)::remember);
            return null;
        });
        if (!anchor.heads().containsKey(Chain.ACCESS.name())) {
            if (!journal.isBegun(database)) {
                if (!heads.isEmpty()) {
                    throw new StartupRefusal("The ledger has accounts and no journal.", RESTORE + LAST_RESORT);
                }
                journal.begin(database);
            }
        }
        requireSound(database, journal);
        heads.putAll(database.read(connection -> new Journal(connection).heads()));
        anchor.begin(heads);
        database.witness(anchor::committed);
    }

    /**
     * Verifies as {@link #open} does, and changes nothing.
     *
     * @return how many accounts there are
     * @throws StartupRefusal if the database must not be written, or lacks steps of sessions
     */
    static int verify(Database database, Anchor anchor, JournalCheck journal) {
        int accounts = verifiedHeads(database, _ -> {}).size();
        database.read(connection -> {
            requireNothingLost(connection, anchor, journal);
            return accounts;
        });
        if (accounts > 0 || journal.isBegun(database)) {
            requireSound(database, journal);
        }
        return accounts;
    }

    private static void requireSound(Database database, JournalCheck journal) {
        String fault = journal.fault(database);
        if (fault != null) {
            throw new StartupRefusal(
                    "The ledger's database was changed: " + fault + ".",
                    RESTORE + "Something other than the service changed it, or the key in journal.key or"
                            + " PURSER_LEDGER_JOURNAL_KEY belongs to another ledger.");
        }
    }

    /**
     * The head of every account, after all books were verified.
     *
     * @param withBlocks receives the chains of the accounts with blocks
     */
    private static Map<String, Head> verifiedHeads(Database database, Consumer<ChainVerifier> withBlocks) {
        Map<String, Head> heads = new TreeMap<>();
        for (String account : database.read(connection -> new BooksForProof(connection).accounts())) {
            ChainVerifier chain = BooksForProof.verified(database, account);
            ChainVerification verification = chain.verification();
            if (verification.fault() != null) {
                throw new StartupRefusal(
                        "The books of account " + account + " are not sound: " + verification.fault() + ".",
                        RESTORE + "Something other than the service changed the ledger.");
            }
            heads.put(account, new Head(verification.entries(), verification.head()));
            if (chain.hasBlocks()) {
                withBlocks.accept(chain);
            }
        }
        return heads;
    }

    /**
     * Runs on every later connection too, because a new connection may lead to a database that replaced the lost one. A
     * lost step of a session loses no charge, so it only closes its session.
     */
    private static void requireNothingLost(StoreConnection connection, Anchor anchor, JournalCheck journal)
            throws SQLException {
        BooksForProof books = new BooksForProof(connection);
        for (Map.Entry<String, Head> confirmed : anchor.heads().entrySet()) {
            String loss = lossOf(books, confirmed.getKey(), confirmed.getValue());
            if (loss != null) {
                throw new StartupRefusal(loss, RESTORE + LAST_RESORT);
            }
        }
        String loss = journal.lossOf(connection, anchor.heads());
        if (loss != null) {
            throw new StartupRefusal(loss, RESTORE + LAST_RESORT);
        }
        Map<String, String> known = new TreeMap<>();
        anchor.heads().forEach((name, head) -> known.put(name, head.text()));
        connection.knowHeads(known);
    }

    /** The first confirmed state that the books lack, as a sentence. Null if nothing is missing. */
    private static @Nullable String lossOf(BooksForProof books, String account, @Nullable Head confirmed)
            throws SQLException {
        if (confirmed == null || account.contains("/")) {
            return null;
        }
        Long last = books.lastSequence(account).orElse(null);
        if (last == null) {
            return "The ledger has no account " + account + "; its entry " + confirmed.sequence() + " was confirmed.";
        }
        if (last < confirmed.sequence()) {
            return "The ledger of account " + account + " ends at entry " + last + "; entry " + confirmed.sequence()
                    + " was confirmed.";
        }
        return books.has(account, confirmed)
                ? null
                : "Entry " + confirmed.sequence() + " of the ledger of account " + account
                        + " is not the one that was confirmed.";
    }

    /**
     * Accepts a database that lost confirmed entries. Each account that lost entries is charged all that remains, in an
     * entry of the principal {@code operator}. Without a readable anchor, every account is charged. The lost entries
     * may have spent that much, and a limit that is raised later is raised above it. The interactions of the account
     * and its questions without an answer are closed. The anchor then starts again from the new heads. If we stop
     * before the commit, the anchor is ahead of the ledger, and the operator has to run this again. What was closed and
     * charged is logged.
     *
     * @param confirmed the confirmed heads; null if no anchor can be read
     * @param lastBlocks the last block that is closed, by account
     * @param fresh an empty anchor, to be written here
     * @throws StartupRefusal if the books themselves are not sound, or the statement about blocks cannot be true
     */
    static void accept(
            Database database,
            @Nullable Map<String, Head> confirmed,
            LastBlocks lastBlocks,
            Anchor fresh,
            Clock clock,
            JournalCheck journal) {
        Map<String, Head> heads = verifiedHeads(database, _ -> {});
        database.read(connection -> {
            lastBlocks.requireOf(connection);
            return lastBlocks;
        });
        if (!journal.isBegun(database)) {
            journal.begin(database);
        }
        requireSound(database, journal);
        if (confirmed == null) {
            log.warn("nothing tells what was lost: every account counts as one that lost entries");
        } else {
            confirmed.keySet().stream()
                    .filter(account -> !account.contains("/") && !heads.containsKey(account))
                    .forEach(account -> log.warn("account {} is lost with all its entries", account));
        }
        List<String> losses = database.write(Database.NO_ACCOUNT, connection -> {
            List<String> found = new ArrayList<>();
            BooksForProof books = new BooksForProof(connection);
            Forfeiture forfeiture = new Forfeiture(connection, lastBlocks);
            for (String account : Set.copyOf(heads.keySet())) {
                if (confirmed == null
                        || lossOf(books, account, confirmed.get(account)) != null
                        || journal.hasLost(connection, Chain.ofAccount(account), confirmed)) {
                    Forfeiture.Forfeit forfeit = forfeiture.charge(account, Instant.ofEpochMilli(clock.millis()));
                    heads.put(account, forfeit.head());
                    journal.endAfterLoss(connection, Chain.ofAccount(account));
                    found.add(text(
                            account,
                            forfeit.charge(),
                            journal.endAfterLoss(connection, Chain.ofSessions(account)),
                            forfeiture.closeQuestions(account)));
                }
            }
            if (confirmed != null) {
                found.addAll(journal.acceptLosses(connection, confirmed));
            }
            heads.putAll(new Journal(connection).heads());
            fresh.begin(heads);
            return found;
        });
        losses.forEach(log::warn);
        log.info(
                losses.isEmpty()
                        ? "the ledger lost nothing: nothing is closed or counted as spent"
                        : "the ledger is accepted");
    }

    private static String text(String account, PrivacyAmount charge, int sessions, int questions) {
        String remained =
                charge.rho().equals(Rho.ZERO) ? StatedAmount.withoutRho(charge).text() : "rho " + charge.rho();
        return "account " + account + " lost entries: "
                + (charge.equals(PrivacyAmount.ZERO) ? "nothing remained" : remained + " remained, counted as spent")
                + "; open sessions closed: " + sessions + "; unanswered questions closed: " + questions;
    }
}
