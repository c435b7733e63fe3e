package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;

/** An account's row: the summary of its last entry. */
record Account(
        String account,
        String accountant,
        PrivacyAmount limit,
        PrivacyAmount spent,
        long headSequence,
        String headHash) {}
