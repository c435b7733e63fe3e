package dev.purser.ledger;

import dev.purser.privacy.BlockWindow;
import dev.purser.privacy.PrivacyAmount;
import org.jspecify.annotations.Nullable;

/** Makes the proof of payment that only the ledger makes in production. */
public final class DebitsForTests {
    private DebitsForTests() {}

    public static CommittedDebit committed(String account) {
        return committed(account, null);
    }

    /** @param blocks the blocks that paid */
    public static CommittedDebit committed(String account, @Nullable BlockWindow blocks) {
        PrivacyAmount nothing = PrivacyAmount.ZERO;
        return new CommittedDebit("query-of-a-test", account, 1, nothing, nothing, nothing, blocks);
    }
}
