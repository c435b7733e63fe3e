package dev.purser.ledger;

import dev.purser.accounting.Accountant;
import dev.purser.privacy.Delta;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.store.Session;
import dev.purser.store.StartupRefusal;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a database may be written: all its books are sound, and it has everything that was ever confirmed, as the
 * {@link Anchor} remembers it. A database that was restored from a backup, or lost its end in a failover, is refused: what was
 * answered since is out in the world, and the restored books would pay for it a second time.
 */
final class LedgerGuard {
    /** What an operator can still do. */
    static final String LAST_RESORT = "If it is lost, start once with the command accept-restored-ledger: it leaves the"
            + " accounts it cannot vouch for nothing to spend.";

    private static final Logger log = LoggerFactory.getLogger(LedgerGuard.class);
    private static final String RESTORE = "Restore the newest copy of the database. ";

    private final Anchor anchor;
    private final boolean mayBeginAnew;
    private boolean verified;

    /**
     * @param mayBeginAnew whether a ledger with accounts may be met without an anchor: one that instances with homes of their
     *     own share, when a new instance joins
     */
    LedgerGuard(Anchor anchor, boolean mayBeginAnew) {
        this.anchor = anchor;
        this.mayBeginAnew = mayBeginAnew;
    }

    /**
     * Looks at the database over a new connection: at everything the first time, and later whether it still has what was
     * confirmed.
     *
     * @throws StartupRefusal if it must not be written
     */
    void connected(Session session) throws SQLException {
        SqlBooks books = new SqlBooks(session);
        if (verified) {
            requireNothingLost(books);
            return;
        }
        Map<String, Head> heads = verifiedHeads(books);
        if (!heads.isEmpty() && !anchor.wasFound() && !mayBeginAnew) {
            throw new StartupRefusal(
                    "The ledger has accounts, and its anchor ledger.anchor is missing from the home.",
                    "Restore the anchor beside the database. " + LAST_RESORT);
        }
        requireNothingLost(books);
        anchor.begin(heads);
        verified = true;
    }

    /** The head of every account, each with sound books. */
    private static Map<String, Head> verifiedHeads(SqlBooks books) throws SQLException {
        Map<String, Head> heads = new TreeMap<>();
        for (String account : books.accounts()) {
            ChainVerification verification = new ChainVerifier(account).verify(books);
            if (verification.fault() != null) {
                throw new StartupRefusal(
                        "The books of account " + account + " are not sound: " + verification.fault() + ".",
                        RESTORE + "The ledger was changed by another hand than the service's.");
            }
            heads.put(account, new Head(verification.entries(), verification.head()));
        }
        return heads;
    }

    private void requireNothingLost(SqlBooks books) throws SQLException {
        for (Map.Entry<String, Head> confirmed : anchor.heads().entrySet()) {
            String loss = lossOf(books, confirmed.getKey(), confirmed.getValue());
            if (loss != null) {
                throw new StartupRefusal(loss, RESTORE + LAST_RESORT);
            }
        }
    }

    /** What the books lack of what was confirmed, in a sentence; null if nothing. */
    private static @Nullable String lossOf(SqlBooks books, String account, Head confirmed) throws SQLException {
        Account row = books.account(account).orElse(null);
        if (row == null) {
            return "The ledger has no account " + account + "; its entry " + confirmed.sequence() + " was confirmed.";
        }
        if (row.headSequence() < confirmed.sequence()) {
            return "The ledger of account " + account + " ends at entry " + row.headSequence() + "; entry "
                    + confirmed.sequence() + " was confirmed.";
        }
        boolean[] same = {false};
        books.entries(
                account,
                confirmed.sequence() - 1,
                1,
                entry -> same[0] = entry.hash().equals(confirmed.hash()));
        return same[0]
                ? null
                : "Entry " + confirmed.sequence() + " of the ledger of account " + account
                        + " is not the one that was confirmed.";
    }

    /**
     * Accepts a database that lost confirmed entries, once: every account that lost some, or all accounts if there is no
     * anchor to tell, get their limit set to what is spent, as an entry of the principal {@code operator}. The anchor then
     * starts anew. If we stop before the commit, the anchor is ahead of the ledger, and this has to be run again.
     *
     * @param anchor what was confirmed; null if it cannot be read
     * @param fresh an anchor to begin anew
     * @throws StartupRefusal if the books themselves are not sound
     */
    static void accept(Session session, @Nullable Anchor anchor, Anchor fresh, Clock clock) throws SQLException {
        SqlBooks books = new SqlBooks(session);
        Map<String, Head> heads = verifiedHeads(books);
        Map<String, Head> confirmed = anchor == null || !anchor.wasFound() ? Map.of() : anchor.heads();
        for (String account : Map.copyOf(heads).keySet()) {
            Head known = confirmed.get(account);
            boolean lost = anchor == null || !anchor.wasFound() || known != null && lossOf(books, account, known) != null;
            if (lost) {
                heads.put(account, closed(books, account, Instant.ofEpochMilli(clock.millis())));
            }
        }
        confirmed.keySet().stream()
                .filter(account -> !heads.containsKey(account))
                .forEach(account -> log.warn("account {} is lost with all its entries", account));
        fresh.begin(heads);
    }

    private static Head closed(SqlBooks books, String account, Instant at) throws SQLException {
        Account row = books.account(account).orElseThrow();
        Optional<Step> step = LedgerRules.limit(row, nothingLeft(row), "operator", at);
        if (step.isEmpty()) {
            return new Head(row.headSequence(), row.headHash());
        }
        if (!books.append(step.orElseThrow())) {
            throw new StartupRefusal(
                    "Account " + account + " was changed while it was being accepted.",
                    "Stop all other instances, then run accept-restored-ledger again.");
        }
        log.warn("account {} has nothing left to spend: {} of its entries are left", account, row.headSequence());
        LedgerEntry entry = step.orElseThrow().entry();
        return new Head(entry.sequence(), entry.hash());
    }

    /** The limit that is spent. Under rho it keeps the delta at which rho is shown as epsilon. */
    private static PrivacyAmount nothingLeft(Account row) {
        Accountant accountant = row.accountant();
        Delta delta = row.limit().rho().equals(Rho.ZERO) ? row.spent().delta() : row.limit().delta();
        return new PrivacyAmount(
                accountant.stated(row.spent(), row.limit()).epsilon(),
                delta,
                row.spent().rho());
    }
}
