package dev.purser.access;

import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static dev.purser.access.NewKey.COLLECTIONS;
import static dev.purser.access.NewKey.DATASETS;
import static dev.purser.access.NewKey.EXPIRES_AT;

/**
 * A change of grants or expiry of a key. The role never changes. An absent field leaves its value as it is.
 *
 * @param changesExpiry whether the key shall expire at {@code expiresAt}
 * @param expiresAt null for never
 */
public record KeyChange(
        Optional<Grants> datasets,
        Optional<Grants> collections,
        boolean changesExpiry,
        @Nullable Instant expiresAt) {
    /** The body as the API describes it. */
    public static final Shape.ObjectOf FORM = new Shape.ObjectOf(
            "KeyChange",
            "What is absent stays as it is.",
            List.of(
                    DATASETS.describedAs("The datasets granted from now on, as in a new key. `[]` takes all grants."),
                    COLLECTIONS.describedAs("The collections granted from now on, in the same form."),
                    EXPIRES_AT.describedAs(
                            "When the key expires: an instant in the future, RFC 3339. `null` removes the expiry.")));

    /** An example. */
    public static final String VISITS = """
            {"datasets": ["visits"]}""";

    /** Reads the body of a request; {@code expiresAt} must be after {@code now}. */
    public static Optional<KeyChange> read(ObjectReader in, Instant now) {
        Optional<Grants> datasets = in.read(DATASETS);
        Optional<Grants> collections = in.read(COLLECTIONS);
        Optional<Instant> expiresAt = in.read(EXPIRES_AT).flatMap(sent -> sent.future(now));
        boolean changesExpiry = in.sent().members().containsKey(EXPIRES_AT.name());
        return in.complete(() -> new KeyChange(datasets, collections, changesExpiry, expiresAt.orElse(null)));
    }

    /** The key after this change. */
    IssuedKey of(IssuedKey key) {
        return new IssuedKey(
                key.keyId(),
                key.name(),
                key.role(),
                datasets.orElse(key.datasets()),
                collections.orElse(key.collections()),
                key.createdAt(),
                changesExpiry ? expiresAt : key.expiresAt(),
                key.revokedAt(),
                key.replaces(),
                key.identity());
    }
}
