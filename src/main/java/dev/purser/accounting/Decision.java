package dev.purser.accounting;

import dev.purser.privacy.PrivacyAmount;

/** The decision of a privacy filter on one event. */
public sealed interface Decision {
    /** The event fits: {@code charge} is debited and {@code spentAfter} is the new total. */
    record Admitted(PrivacyAmount charge, PrivacyAmount spentAfter) implements Decision {}

    /** The event does not fit, and nothing is debited. */
    record Refused(PrivacyAmount requested, PrivacyAmount remaining, PrivacyAmount shortfall) implements Decision {}
}
