package dev.purser.ledger;

import dev.purser.journal.ChangedRow;
import dev.purser.store.StoreConnection;
import java.lang.ref.SoftReference;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The chains of the accounts with blocks, as far as one connection has read and verified them. Each charge is compared
 * with the sums of all entries before it, and reads only the entries that are new.
 *
 * <p>The remembered part of a chain ends with some entry. Other instances add entries after it, so the part stays valid
 * as long as the next entry names that entry's hash. If entries were rolled back, the part is not valid, and the chain
 * is read again from its first entry. If that chain does not end with the account's head, nothing is charged.
 *
 * <p>Memory grows with the numbers of blocks and of analysts. The remembered chains are dropped when memory is short,
 * and are then read again.
 */
final class BlockChains {
    private static final int PAGE = 4096;

    private final Map<String, SoftReference<ChainVerifier>> chains = new HashMap<>();

    static BlockChains of(StoreConnection connection) {
        return connection.kept(BlockChains.class, BlockChains::new);
    }

    /** Remembers a chain without a fault. The caller must not use the chain any more. */
    void remember(ChainVerifier chain) {
        chains.put(chain.account(), new SoftReference<>(chain));
    }

    /**
     * Requires that a step follows from all entries before it. The account's row is locked: nobody adds entries.
     *
     * @throws dev.purser.problem.ProblemException {@code internal-error} if the step does not follow
     */
    void require(Books books, Account before, LedgerEntry next) throws SQLException {
        ChainVerifier chain = upTo(books, before);
        String fault = chain.fault() != null ? chain.fault() : "its blocks are not what its entries say";
        if (!chain.endsWith(before) || !chain.isFollowedBy(next)) {
            chains.remove(before.account());
            throw ChangedRow.refused("account " + before.account(), fault);
        }
    }

    private ChainVerifier upTo(Books books, Account account) throws SQLException {
        SoftReference<ChainVerifier> remembered = chains.get(account.account());
        ChainVerifier chain = remembered == null ? null : remembered.get();
        if (chain == null || !readsOn(chain, books, account)) {
            chain = new ChainVerifier(account.account());
            readsOn(chain, books, account);
            remember(chain);
        }
        return chain;
    }

    /** Reads the entries up to the account's head; returns whether the chain then ends with it. */
    private static boolean readsOn(ChainVerifier chain, Books books, Account account) throws SQLException {
        long before = -1;
        try {
            while (chain.fault() == null && before < chain.entries() && chain.entries() < account.headSequence()) {
                before = chain.entries();
                books.entries(account.account(), before, Math.min(PAGE, account.headSequence() - before), chain::read);
            }
        } catch (IllegalArgumentException notAnEntry) {
            chain.require(false, "entry " + (chain.entries() + 1) + ": " + notAnEntry.getMessage());
        }
        return chain.endsWith(account);
    }
}
