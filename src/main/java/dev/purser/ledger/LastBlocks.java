package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.Blocks;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.store.StartupRefusal;
import dev.purser.store.StoreConnection;
import java.sql.SQLException;
import java.util.Map;

/**
 * The operator's statement about a ledger that lost entries: nobody ever asked about a later block of these accounts.
 * Later blocks then keep their budget. An account that is not named is closed with all of its blocks.
 *
 * @param names the last block that may have been asked about, by account
 */
public record LastBlocks(Map<String, String> names) {
    private static final String OPTION = "The option --last-block names ";

    /** @throws StartupRefusal if an account or block does not exist, or a later block was asked about */
    public void requireOf(StoreConnection connection) throws SQLException {
        Books books = new SqlBooks(connection);
        for (Map.Entry<String, String> each : names.entrySet()) {
            Account account = books.account(each.getKey())
                    .orElseThrow(() -> refusal("the account " + each.getKey() + ", which is not in the ledger."));
            Blocks blocks = account.blocks();
            if (blocks == null) {
                throw refusal("the account " + account.account() + ", which has no blocks.");
            }
            int last = blocks.named(each.getValue())
                    .orElseThrow(() -> refusal("the block " + each.getValue() + "; the blocks of the account "
                            + account.account() + " are called " + blocks.label(0) + " to "
                            + blocks.label(blocks.count() - 1) + "."));
            if (last < blocks.count() - 1) {
                BlockWindow later = new BlockWindow(last + 1, blocks.count() - 1);
                if (!books.blocks(account, null, later).spent(later).equals(PrivacyAmount.ZERO)) {
                    throw refusal("the block " + each.getValue() + "; a later block of the account " + account.account()
                            + " was asked about.");
                }
            }
        }
    }

    /** The blocks of an account that may have been asked about. */
    BlockWindow of(String account, Blocks blocks) {
        String last = names.get(account);
        return last == null
                ? blocks.all()
                : new BlockWindow(0, blocks.named(last).orElseThrow());
    }

    private static StartupRefusal refusal(String named) {
        return new StartupRefusal(OPTION + named, "Name the last block that anybody may have asked about.");
    }
}
