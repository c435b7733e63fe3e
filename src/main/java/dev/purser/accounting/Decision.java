package dev.purser.accounting;

import dev.purser.privacy.PrivacyAmount;

/** What a privacy filter says of one event. */
public sealed interface Decision {
    /** The event fits: {@code charge} is debited and {@code spentAfter} is the new total. */
    record Admitted(PrivacyAmount charge, PrivacyAmount spentAfter) implements Decision {}

    /** The event does not fit; nothing is debited. */
    record Refused(PrivacyAmount requested, PrivacyAmount remaining, PrivacyAmount shortfall) implements Decision {}
}
