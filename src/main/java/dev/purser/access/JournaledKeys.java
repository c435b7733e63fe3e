package dev.purser.access;

import dev.purser.access.KeyRegister.Row;
import dev.purser.access.KeyRegister.Secret;
import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.DecidingRows;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static dev.purser.journal.DecidingRows.Column.changing;
import static dev.purser.journal.DecidingRows.Column.fixed;
import static dev.purser.journal.DecidingRows.Column.key;
import static dev.purser.journal.DecidingRows.Form.BYTES;
import static dev.purser.journal.DecidingRows.Form.TEXT;

/**
 * The table of keys, and what the journal records besides its rows: which key is the first of a name or the successor
 * of another key, and which key an identity has. These entries show whether a name or an identity is free, or its key
 * was removed.
 */
@Configuration(proxyBeanMethods = false)
class JournaledKeys {
    static final DecidingRows<Row> KEYS = new DecidingRows<>(
            "access_key",
            "key %s",
            row -> new Row(issued(row), secret(row)),
            List.of(),
            List.of(
                    key("key_id", each -> each.key().keyId()),
                    fixed(TEXT, "name", each -> each.key().name()),
                    fixed(TEXT, "role", each -> each.key().role().label()),
                    changing(TEXT, "datasets", in(each -> each.key().datasets(), Grants::text)),
                    changing(TEXT, "collections", in(each -> each.key().collections(), Grants::text)),
                    fixed(TEXT, "created_at_millis", each -> each.key().createdAt()),
                    changing(TEXT, "expires_at_millis", each -> each.key().expiresAt()),
                    changing(TEXT, "revoked_at_millis", each -> each.key().revokedAt()),
                    fixed(TEXT, "replaces", each -> each.key().replaces()),
                    fixed(BYTES, "salt", in(Row::secret, Secret::salt)),
                    fixed(BYTES, "hash", in(Row::secret, Secret::hash)),
                    fixed(TEXT, "issuer", in(Row::identity, Identity::issuer)),
                    fixed(TEXT, "subject", in(Row::identity, Identity::subject))));

    /** The chain has one owner, the empty text. */
    private static final String OF_CHAIN = "WHERE ? = ''";

    private static final String PLACES = "SELECT key_id, name, replaces FROM access_key " + OF_CHAIN;

    private static final String IDENTITIES =
            "SELECT key_id, issuer, subject FROM access_key " + OF_CHAIN + " AND subject IS NOT NULL";

    private static <P> Function<Row, @Nullable Object> in(Function<Row, @Nullable P> part, Function<P, Object> value) {
        return row -> {
            P present = part.apply(row);
            return present == null ? null : value.apply(present);
        };
    }

    private static IssuedKey issued(ResultSet row) throws SQLException {
        String issuer = row.getString(12);
        return new IssuedKey(
                row.getString(1),
                row.getString(2),
                Role.ofLabel(row.getString(3)),
                Grants.ofText(row.getString(4)),
                Grants.ofText(row.getString(5)),
                Instant.ofEpochMilli(row.getLong(6)),
                instant(row, 7),
                instant(row, 8),
                row.getString(9),
                issuer == null ? null : new Identity(issuer, row.getString(13)));
    }

    private static @Nullable Secret secret(ResultSet row) throws SQLException {
        byte[] hash = row.getBytes(11);
        return hash == null ? null : new Secret(row.getBytes(10), hash);
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    /** The place that this key alone can have: the first of its name, or the successor of the key that it replaces. */
    static JournaledRow place(String keyId, String name, @Nullable String replaces) {
        return new JournaledRow(
                replaces == null ? "first key of " + name : "key after key " + replaces,
                new CanonicalBytes().text(keyId));
    }

    /** The one key of an identity. A subject has no blanks, so two identities are never the same text. */
    static JournaledRow identity(String keyId, String issuer, String subject) {
        return new JournaledRow("identity " + subject + " of " + issuer, new CanonicalBytes().text(keyId));
    }

    @Bean
    JournaledRows issuedKeys() {
        return KEYS.journaled("keys", Chain.Kind.ACCESS, OF_CHAIN, JournaledRows.Ending.NONE);
    }

    @Bean
    JournaledRows placesOfKeys() {
        return new JournaledRows(
                "places of keys",
                Chain.Kind.ACCESS,
                PLACES,
                row -> place(row.getString(1), row.getString(2), row.getString(3)));
    }

    @Bean
    JournaledRows identitiesOfKeys() {
        return new JournaledRows(
                "identities of keys",
                Chain.Kind.ACCESS,
                IDENTITIES,
                row -> identity(row.getString(1), row.getString(2), row.getString(3)));
    }
}
