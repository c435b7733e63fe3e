package dev.purser.ledger;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One change of an account: an entry, the account after it, and the question it charges.
 *
 * @param before the account that the entry was made for; null if the entry opens it
 * @param question the question charged; null on a limit entry
 */
record Step(
        @Nullable Account before,
        Account after,
        LedgerEntry entry,
        @Nullable BookedQuestion question) {
    /** The question charged, on the entry of a charge. */
    BookedQuestion charged() {
        return Objects.requireNonNull(question);
    }

    /** The same step, with the answer stored in it. */
    Step answered(Function<LedgerEntry, byte[]> answer) {
        return new Step(before, after, entry, charged().withAnswer(answer.apply(entry), null));
    }
}
