package dev.purser.access;

import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.problem.Violation;
import dev.purser.store.Database;
import dev.purser.store.Session;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.stereotype.Service;

/**
 * Every key that was ever made. Nothing of it is remembered between requests: each reads the row of the key it carries, so
 * that a revocation holds from its commit on, in every process on this database.
 */
@Service
public class KeyRegister {
    private static final int SALT_BYTES = 16;

    private static final String COLUMNS =
            "SELECT key_id, name, role, datasets, collections, created_at_millis, expires_at_millis, revoked_at_millis,"
                    + " replaces, salt, hash FROM access_key ";
    private static final String BY_ID = COLUMNS + "WHERE key_id = ?";

    private final Database database;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Secret decoy;

    public KeyRegister(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
        this.decoy = Secret.of(KeyToken.draw(random), random);
    }

    /**
     * A key and the only copy of the text that opens with it.
     *
     * @param token to be shown once and not kept
     */
    public record Issued(IssuedKey key, String token) {
        /** Without the token: what stands in a value may end in a log. */
        @Override
        public String toString() {
            return "Issued[" + key + "]";
        }
    }

    private record Secret(byte[] salt, byte[] hash) {
        static Secret of(KeyToken token, SecureRandom random) {
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            return new Secret(salt, token.hash(salt));
        }

        boolean opensWith(KeyToken token) {
            return MessageDigest.isEqual(hash, token.hash(salt));
        }
    }

    private record Row(IssuedKey key, Secret secret) {}

    /**
     * Makes a key. If it replaces one, that one is revoked in the same transaction: there is no moment with both and none
     * with neither.
     *
     * @throws ProblemException {@code already-exists} if the name was ever used; {@code validation-failed} if the key to
     *     replace has another name, or was replaced before
     */
    public Issued issue(NewKey wanted) {
        KeyToken token = KeyToken.draw(random);
        Secret secret = Secret.of(token, random);
        IssuedKey key = new IssuedKey(
                token.keyId(),
                wanted.name(),
                wanted.role(),
                wanted.datasets(),
                wanted.collections(),
                now(),
                wanted.expiresAt().orElse(null),
                null,
                wanted.replaces().orElse(null));
        database.write(Database.NO_ACCOUNT, transaction -> {
            if (key.replaces() == null) {
                requireNewName(transaction, key.name());
            } else {
                requireReplaceable(transaction, key.replaces(), key.name());
                revoke(transaction, key.replaces(), key.createdAt());
            }
            insert(transaction, key, secret);
            return null;
        });
        return new Issued(key, token.text());
    }

    private static void requireNewName(Session transaction, String name) throws SQLException {
        boolean taken = Principal.RESERVED.contains(name)
                || transaction
                        .first("SELECT 1 FROM access_key WHERE name = ?", row -> true, name)
                        .isPresent();
        if (taken) {
            throw ProblemException.of(
                    ProblemType.ALREADY_EXISTS,
                    "the name \"" + name
                            + "\" is taken, now or in the past: names are never used again; to give its holder"
                            + " another key, say which one it replaces");
        }
    }

    private static void requireReplaceable(Session transaction, String keyId, String name) throws SQLException {
        boolean ofThisName = find(transaction, keyId)
                .filter(row -> row.key().name().equals(name))
                .isPresent();
        if (!ofThisName) {
            throw refusedReplacing("there is no key \"" + keyId + "\" of the name \"" + name + "\" to replace");
        }
        if (transaction
                .first("SELECT 1 FROM access_key WHERE replaces = ?", row -> true, keyId)
                .isPresent()) {
            throw refusedReplacing(
                    "the key \"" + keyId + "\" was replaced before: name the last key of \"" + name + "\"");
        }
    }

    private static ProblemException refusedReplacing(String detail) {
        return ProblemException.validation(Violation.atPointer("/replaces", detail));
    }

    /**
     * The key that this token opens with, if there is one and it is neither revoked nor expired. A wrong secret, an id that
     * nobody has, and a key that is over, cost the same: one row is looked up and one hash computed and compared.
     */
    Optional<IssuedKey> opened(KeyToken token) {
        Optional<Row> row = database.read(session -> find(session, token.keyId()));
        boolean opens = row.map(Row::secret).orElse(decoy).opensWith(token);
        return row.map(Row::key).filter(key -> opens && key.stateAt(clock.instant()) == IssuedKey.State.ACTIVE);
    }

    /**
     * Looks again whether the key that a request began with still opens. For what must not happen after a revocation although
     * the request came before it: a body takes as long as its sender likes.
     *
     * @throws AuthenticationException if it was revoked or has expired meanwhile
     */
    public void requireStillOpen(Principal principal) {
        boolean open = principal.keyId() == null
                || find(principal.keyId())
                        .filter(key -> key.stateAt(clock.instant()) == IssuedKey.State.ACTIVE)
                        .isPresent();
        if (!open) {
            throw new CredentialsExpiredException("the key was revoked or expired while the request was read");
        }
    }

    /** What is public of this key. */
    public Optional<IssuedKey> find(String keyId) {
        return database.read(session -> find(session, keyId)).map(Row::key);
    }

    /** The keys whose id sorts after {@code after}, in that order, those that are over included. */
    public List<IssuedKey> list(String after, int limit) {
        return database.read(session -> session.all(
                COLUMNS + "WHERE key_id > ? ORDER BY key_id LIMIT ?",
                row -> read(row).key(),
                after,
                limit));
    }

    /**
     * Revokes a key, for good and from the return of this on. Revoking it again changes nothing.
     *
     * @throws ProblemException {@code not-found} if there is no such key
     */
    public void revoke(String keyId) {
        Instant now = now();
        boolean exists = database.write(Database.NO_ACCOUNT, transaction -> {
            revoke(transaction, keyId, now);
            return find(transaction, keyId).isPresent();
        });
        if (!exists) {
            throw ProblemException.of(ProblemType.NOT_FOUND, "there is no such key");
        }
    }

    private static void revoke(Session transaction, String keyId, Instant at) throws SQLException {
        transaction.update(
                "UPDATE access_key SET revoked_at_millis = ? WHERE key_id = ? AND revoked_at_millis IS NULL",
                at.toEpochMilli(),
                keyId);
    }

    private static void insert(Session transaction, IssuedKey key, Secret secret) throws SQLException {
        transaction.update(
                "INSERT INTO access_key (key_id, name, role, datasets, collections, salt, hash, created_at_millis,"
                        + " expires_at_millis, replaces) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                key.keyId(),
                key.name(),
                key.role().label(),
                key.datasets().text(),
                key.collections().text(),
                secret.salt(),
                secret.hash(),
                key.createdAt().toEpochMilli(),
                key.expiresAt() == null ? null : key.expiresAt().toEpochMilli(),
                key.replaces());
    }

    private static Optional<Row> find(Session session, String keyId) throws SQLException {
        return session.first(BY_ID, KeyRegister::read, keyId);
    }

    private static Row read(ResultSet row) throws SQLException {
        IssuedKey key = new IssuedKey(
                row.getString("key_id"),
                row.getString("name"),
                Role.ofLabel(row.getString("role")),
                Grants.ofText(row.getString("datasets")),
                Grants.ofText(row.getString("collections")),
                Instant.ofEpochMilli(row.getLong("created_at_millis")),
                instant(row, "expires_at_millis"),
                instant(row, "revoked_at_millis"),
                row.getString("replaces"));
        return new Row(key, new Secret(row.getBytes("salt"), row.getBytes("hash")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    /** As the table keeps it, in whole milliseconds. */
    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }
}
