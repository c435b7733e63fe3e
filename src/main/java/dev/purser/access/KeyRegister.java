package dev.purser.access;

import dev.purser.journal.Chain;
import dev.purser.journal.ChangedRow;
import dev.purser.journal.DecidingRows.Version;
import dev.purser.journal.Journal;
import dev.purser.journal.JournaledRow;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.store.Database;
import dev.purser.store.Order;
import dev.purser.store.StoreConnection;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.stereotype.Service;

import static dev.purser.access.JournaledKeys.KEYS;

/**
 * All keys that were ever created. Each request reads the row of its key. A revocation and a change of grants or expiry
 * therefore hold from their commit on, in every process on this database. A row is used only as the journal recorded it
 * last. A key is not used if its row is older than one that this process has seen.
 */
@Service
public class KeyRegister {
    private static final int SALT_BYTES = 16;

    /** How many of the keys that were used or changed last are remembered. */
    private static final int REMEMBERED = 100_000;

    /** The first key of a name replaces no key, and the index of names has only such keys. */
    static final String NAME_TAKEN = "SELECT 1 FROM access_key WHERE name = ? AND replaces IS NULL";

    private static final String OF_IDENTITY = "SELECT key_id FROM access_key WHERE issuer = ? AND subject = ?";

    /** Reads entries of keys, and not of their places, which have longer names. */
    private static final String LATEST = "SELECT object, sequence FROM journal WHERE chain = ? AND object LIKE '"
            + KEYS.object("_".repeat(KeyToken.KEY_ID_LENGTH)) + "' ORDER BY sequence DESC LIMIT " + REMEMBERED;

    private final Database database;
    private final Clock clock;
    private final AtomicLong latestMillis = new AtomicLong(Long.MIN_VALUE);
    private final SecureRandom random = new SecureRandom();
    private final Secret decoy;

    /** The latest entry of each key that this process has seen, by the object of the key. */
    private final Map<String, Long> seen = Collections.synchronizedMap(new Recent<>(REMEMBERED));

    public KeyRegister(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.decoy = Secret.of(KeyToken.draw(random), random);
        database.read(connection ->
                        connection.all(LATEST, row -> Map.entry(row.getString(1), row.getLong(2)), Chain.ACCESS.name()))
                .reversed()
                .forEach(entry -> seen.put(entry.getKey(), entry.getValue()));
    }

    /**
     * A key and the only copy of its token.
     *
     * @param token shown once and not kept; empty for a key of an identity, which has none
     */
    public record Issued(IssuedKey key, String token) {
        /** Omits the token, because the text of a value may end up in a log. */
        @Override
        public String toString() {
            return "Issued[" + key + "]";
        }
    }

    record Secret(byte[] salt, byte[] hash) {
        static Secret of(KeyToken token, SecureRandom random) {
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            return new Secret(salt, token.hash(salt));
        }

        boolean opensWith(KeyToken token) {
            return MessageDigest.isEqual(hash, token.hash(salt));
        }
    }

    /** @param secret the hashed secret; null for a key of an identity */
    record Row(IssuedKey key, @Nullable Secret secret) {
        @Nullable
        Identity identity() {
            return key.identity();
        }
    }

    /**
     * Creates a key. If it replaces another key, the other key is revoked in the same transaction, so exactly one of
     * the two is valid at any moment.
     *
     * @throws ProblemException {@code already-exists} if the name or the identity was ever used;
     *     {@code validation-failed} if the key to replace has another name, or was already replaced
     */
    public Issued issue(NewKey wanted) {
        KeyToken token = KeyToken.draw(random);
        Identity identity = wanted.identity().orElse(null);
        Secret secret = identity == null ? Secret.of(token, random) : null;
        IssuedKey key = new IssuedKey(
                token.keyId(),
                wanted.name(),
                wanted.role(),
                wanted.datasets(),
                wanted.collections(),
                now(),
                wanted.expiresAt().orElse(null),
                null,
                wanted.replaces().orElse(null),
                identity);
        long known = wanted.replaces().map(this::known).orElse(0L);
        Optional<Version<Row>> replaced = database.write(Chain.ACCESS.name(), transaction -> {
            if (identity != null) {
                requireNewIdentity(transaction, identity);
            }
            Optional<Version<Row>> revoked = Optional.empty();
            if (key.replaces() == null) {
                requireNewName(transaction, key.name());
            } else {
                Version<Row> previous = replaceable(transaction, key.replaces(), key.name(), known);
                revoked = Optional.of(revoked(transaction, previous, key.createdAt()));
            }
            insert(transaction, new Row(key, secret));
            return revoked;
        });
        replaced.ifPresent(this::see);
        return new Issued(key, identity == null ? token.text() : "");
    }

    private static void requireNewIdentity(StoreConnection transaction, Identity identity) throws SQLException {
        if (keyOf(transaction, identity).isPresent()) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the subject \"" + identity.subject()
                            + "\" has or had a key, and an identity has one key for ever; change the grants of that"
                            + " key");
        }
    }

    private static Optional<String> keyOf(StoreConnection connection, Identity identity) throws SQLException {
        return connection.first(OF_IDENTITY, row -> row.getString(1), identity.issuer(), identity.subject());
    }

    private static void requireNewName(StoreConnection transaction, String name) throws SQLException {
        boolean taken = Principal.RESERVED.contains(name)
                || transaction.first(NAME_TAKEN, row -> true, name).isPresent();
        if (taken) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the name \"" + name
                            + "\" is or was taken, and names are never reused; to give its holder another key, name"
                            + " the key that it replaces");
        }
    }

    private static Version<Row> replaceable(StoreConnection transaction, String keyId, String name, long known)
            throws SQLException {
        Version<Row> previous = find(transaction, keyId, known)
                .filter(found -> found.row().key().name().equals(name))
                .orElseThrow(() ->
                        refusedReplacing("there is no key \"" + keyId + "\" of the name \"" + name + "\" to replace"));
        if (transaction
                .first("SELECT 1 FROM access_key WHERE replaces = ?", row -> true, keyId)
                .isPresent()) {
            throw refusedReplacing(
                    "the key \"" + keyId + "\" was already replaced: name the last key of \"" + name + "\"");
        }
        return previous;
    }

    private static ProblemException refusedReplacing(String detail) {
        return ProblemException.validation(Violation.atPointer("/replaces", detail));
    }

    /**
     * The holder of this token's key, if it exists and is neither revoked nor expired. A wrong secret, an unknown id,
     * and a revoked or expired key take the same work: one row and its entry in the journal are looked up, and one hash
     * is computed and compared.
     */
    Optional<Principal> opened(KeyToken token) {
        Optional<Version<Row>> found = committed(token.keyId());
        Secret secret = found.map(each -> each.row().secret()).orElse(null);
        boolean opens = (secret == null ? decoy : secret).opensWith(token) && secret != null;
        return found.filter(_ -> opens).flatMap(this::holder);
    }

    /** The holder of the key of this identity, if it has one that is neither revoked nor expired. */
    Optional<Principal> opened(Identity identity) {
        return database.readOne(connection -> keyOf(connection, identity))
                .flatMap(this::committed)
                .filter(found -> identity.equals(found.row().identity()))
                .flatMap(this::holder);
    }

    /** The holder of a key that is neither revoked nor expired. */
    private Optional<Principal> holder(Version<Row> found) {
        IssuedKey key = found.row().key();
        return isActive(key)
                ? Optional.of(Principal.holding(key, Map.of(KEYS.object(key.keyId()), found.entry())))
                : Optional.empty();
    }

    private boolean isActive(IssuedKey key) {
        return key.stateAt(now()) == IssuedKey.State.ACTIVE;
    }

    /** Whether a key has or had this name. */
    public boolean isOfSomebody(String name) {
        return name.equals(Principal.ADMINISTRATOR.name())
                || database.read(connection -> connection.first(NAME_TAKEN, row -> true, name))
                        .isPresent();
    }

    /**
     * The same principal with the grants that its key has now. This is called before actions that must not happen after
     * a revocation even if the request began earlier: a sender decides how long its body takes.
     *
     * @throws AuthenticationException if the key was revoked or has expired meanwhile
     */
    public Principal stillOpen(Principal principal) {
        if (principal.key() == null) {
            return principal;
        }
        return committed(principal.key().keyId()).flatMap(this::holder).orElseThrow(KeyRegister::expired);
    }

    /**
     * The same principal, if the journal has no later entry of its key.
     *
     * @throws AuthenticationException if the key has expired meanwhile
     * @throws ProblemException {@code temporarily-unavailable} if this process has seen a later entry. Either the key
     *     was changed just now, or somebody hides the entry
     */
    Principal unchanged(Principal principal) {
        if (principal.key() != null && !isActive(principal.key())) {
            throw expired();
        }
        if (principal.rows().entrySet().stream()
                .anyMatch(row -> seen.getOrDefault(row.getKey(), 0L) > row.getValue())) {
            throw ProblemException.of(
                    ProblemType.TEMPORARILY_UNAVAILABLE,
                    "the key was changed while the request was read; send the request again");
        }
        return principal;
    }

    private static AuthenticationException expired() {
        return new CredentialsExpiredException("the key was revoked or expired while the request was read");
    }

    /** The public part of this key. */
    public Optional<IssuedKey> find(String keyId) {
        return committed(keyId).map(found -> found.row().key());
    }

    private Optional<Version<Row>> committed(String keyId) {
        long known = known(keyId);
        Optional<Version<Row>> found = database.readOne(connection -> find(connection, keyId, known));
        found.ifPresent(this::see);
        return found;
    }

    /**
     * The latest entry that this process has seen of the key. It is read before the row, because a change may be
     * committed and noted after the row was read.
     */
    private long known(String keyId) {
        return seen.getOrDefault(KEYS.object(keyId), 0L);
    }

    /** @param key the committed row */
    private void see(Version<Row> key) {
        seen.merge(KEYS.object(key.row().key().keyId()), key.entry(), Math::max);
    }

    /** The keys whose id comes after {@code after} in this order, including revoked and expired ones. */
    public List<IssuedKey> list(Order order, String after, int limit) {
        String select = KEYS.select(
                "WHERE r.key_id " + order.comparison() + " ? ORDER BY r.key_id " + order.name() + " LIMIT ?");
        return database.read(connection -> KEYS.all(connection, select, after, limit)).stream()
                .map(Row::key)
                .toList();
    }

    /**
     * Changes grants or expiry of a key, effective when this returns.
     *
     * @throws ProblemException {@code not-found} if there is no such key; {@code key-revoked} if it was revoked
     */
    public IssuedKey change(String keyId, KeyChange change) {
        long known = known(keyId);
        Version<Row> changed = database.write(Chain.ACCESS.name(), transaction -> {
            Version<Row> before = existing(transaction, keyId, known);
            return changed(transaction, before, now -> changed(now, change));
        });
        see(changed);
        return changed.row().key();
    }

    private static @Nullable Row changed(Row before, KeyChange change) {
        if (before.key().revokedAt() != null) {
            throw ProblemException.of(
                    ProblemType.KEY_REVOKED, "the key \"" + before.key().keyId() + "\" was revoked, which is for good");
        }
        IssuedKey after = change.of(before.key());
        return after.equals(before.key()) ? null : new Row(after, before.secret());
    }

    /**
     * Revokes a key for good, effective when this returns. Revoking it again changes nothing.
     *
     * @throws ProblemException {@code not-found} if there is no such key
     */
    public void revoke(String keyId) {
        long known = known(keyId);
        Instant now = now();
        see(database.write(
                Chain.ACCESS.name(), transaction -> revoked(transaction, existing(transaction, keyId, known), now)));
    }

    private static Version<Row> existing(StoreConnection transaction, String keyId, long known) throws SQLException {
        return find(transaction, keyId, known)
                .orElseThrow(() -> ProblemException.of(ProblemType.NOT_FOUND, "there is no such key"));
    }

    private static Version<Row> revoked(StoreConnection transaction, Version<Row> before, Instant at)
            throws SQLException {
        return changed(
                transaction,
                before,
                row -> row.key().revokedAt() == null ? new Row(row.key().revoked(at), row.secret()) : null);
    }

    /** The key after the change, which another instance may have made in the meantime. */
    private static Version<Row> changed(
            StoreConnection transaction, Version<Row> before, Function<Row, @Nullable Row> change) throws SQLException {
        String keyId = before.row().key().keyId();
        Optional<Version<Row>> changed = KEYS.change(transaction, change, keyId);
        return changed.isPresent() ? changed.orElseThrow() : existing(transaction, keyId, before.entry());
    }

    private static void insert(StoreConnection transaction, Row row) throws SQLException {
        IssuedKey key = row.key();
        KEYS.insert(transaction, Chain.ACCESS, row);
        recordFirst(transaction, JournaledKeys.place(key.keyId(), key.name(), key.replaces()));
        Identity identity = key.identity();
        if (identity != null) {
            recordFirst(transaction, JournaledKeys.identity(key.keyId(), identity.issuer(), identity.subject()));
        }
    }

    private static void recordFirst(StoreConnection transaction, JournaledRow row) throws SQLException {
        Journal journal = new Journal(transaction);
        journal.requireNever(row.object());
        journal.record(Chain.ACCESS, row);
    }

    /** @param known the least number that the latest entry of the key may have */
    private static Optional<Version<Row>> find(StoreConnection connection, String keyId, long known)
            throws SQLException {
        Optional<Version<Row>> found = KEYS.version(connection, keyId);
        if (found.isPresent() && found.orElseThrow().entry() < known) {
            throw ChangedRow.refused(KEYS.object(keyId), "it was changed since, and the database lacks that");
        }
        return found;
    }

    /**
     * The latest time that the clock ever showed to this process, in whole milliseconds, as the table keeps it. It
     * never goes back, whatever the clock does, so a key that was refused as expired stays refused.
     */
    public Instant now() {
        return Instant.ofEpochMilli(latestMillis.accumulateAndGet(clock.millis(), Math::max));
    }
}
