package dev.purser.access;

import dev.purser.journal.CanonicalBytes;
import dev.purser.journal.Chain;
import dev.purser.journal.JournaledRow;
import dev.purser.journal.JournaledRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the journal records of keys: every version of a key, which key is the first of a name or the next after another,
 * and which key an identity has. The other entries tell a free name or identity from one whose key was removed.
 */
@Configuration(proxyBeanMethods = false)
class JournaledKeys {
    /** The chain has one owner, the empty text. */
    private static final String KEYS = KeyRegister.COLUMNS + "WHERE ? = ''";

    private static final String PLACES = "SELECT key_id, name, replaces FROM access_key WHERE ? = ''";

    private static final String IDENTITIES =
            "SELECT key_id, issuer, subject FROM access_key WHERE ? = '' AND subject IS NOT NULL";

    /** @param row the columns that {@link KeyRegister} reads, as they are stored */
    static JournaledRow key(ResultSet row) throws SQLException {
        return new JournaledRow(
                keyOf(row.getString(1)),
                new CanonicalBytes()
                        .text(row.getString(2))
                        .text(row.getString(3))
                        .text(row.getString(4))
                        .text(row.getString(5))
                        .text(row.getString(6))
                        .text(row.getString(7))
                        .text(row.getString(8))
                        .text(row.getString(9))
                        .bytes(row.getBytes(10))
                        .bytes(row.getBytes(11))
                        .text(row.getString(12))
                        .text(row.getString(13)));
    }

    /** The object of a key. */
    static String keyOf(String keyId) {
        return "key " + keyId;
    }

    /** What this key alone can be: the first of its name, or the next after the one that it replaces. */
    static JournaledRow place(String keyId, String name, @Nullable String replaces) {
        return new JournaledRow(
                replaces == null ? "first key of " + name : "key after key " + replaces,
                new CanonicalBytes().text(keyId));
    }

    /** The one key of an identity. A subject has no blanks, so two identities are never the same text. */
    static JournaledRow identity(String keyId, Identity identity) {
        return new JournaledRow(
                "identity " + identity.subject() + " of " + identity.issuer(), new CanonicalBytes().text(keyId));
    }

    @Bean
    JournaledRows issuedKeys() {
        return new JournaledRows("keys", Chain.Kind.ACCESS, KEYS, JournaledKeys::key);
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
                row -> identity(row.getString(1), new Identity(row.getString(2), row.getString(3))));
    }
}
