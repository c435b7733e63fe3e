package dev.purser.ledger;

import dev.purser.digest.Sha256;
import java.util.SortedSet;

/**
 * A question in the form in which it is compared with other questions. Two requests with equal forms ask the same
 * question.
 *
 * @param digest SHA-256 of the kind and the canonical request
 * @param columns the names of all columns that the question names
 */
public record CanonicalForm(byte[] digest, SortedSet<String> columns) {
    /** @param canonical the kind and the canonical request */
    public static CanonicalForm of(byte[] canonical, SortedSet<String> columns) {
        return new CanonicalForm(Sha256.of(canonical), columns);
    }
}
