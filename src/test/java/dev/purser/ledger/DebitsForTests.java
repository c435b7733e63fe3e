package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;

/** Makes the proof of payment that only the ledger makes in production. */
public final class DebitsForTests {
    private DebitsForTests() {}

    public static CommittedDebit committed(String account) {
        return new CommittedDebit(
                "query-of-a-test", account, 1, PrivacyAmount.ZERO, PrivacyAmount.ZERO, PrivacyAmount.ZERO);
    }
}
