package dev.purser.ledger;

import dev.purser.privacy.PrivacyAmount;

/**
 * What was left to an asker at one moment.
 *
 * @param limit the account's limit
 * @param remaining the remainder of the limit, or of the asker's allotment if that is less
 */
public record Leftover(PrivacyAmount limit, PrivacyAmount remaining) {}
