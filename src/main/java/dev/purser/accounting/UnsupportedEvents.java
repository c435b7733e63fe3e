package dev.purser.accounting;

import dev.purser.privacy.PrivacyEvent;

/** Events that an accountant cannot charge. Such an event is an error of planning, and public. */
final class UnsupportedEvents {
    private UnsupportedEvents() {}

    static IllegalArgumentException event(Accountant accountant, PrivacyEvent event) {
        return new IllegalArgumentException("the accountant " + accountant.name() + " has no charge for " + event);
    }
}
