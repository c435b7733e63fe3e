package dev.purser.store;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which database holds the ledger, as {@code purser.ledger.*}. Without a URL it is a SQLite file in the home.
 *
 * @param url {@code jdbc:postgresql://host:port/database}, or empty
 * @param user the PostgreSQL role that owns the tables
 * @param password the role's password; never shown or logged
 * @param journalKey 32 bytes in base64, the same for all instances; if it is empty, the key in the home
 * @param synchronousStandby whether a synchronous standby is required, so that it holds every commit too
 */
public record LedgerSettings(
        @DefaultValue("") String url,
        @DefaultValue("") String user,
        @DefaultValue("") String password,
        @DefaultValue("") Secret journalKey,
        @DefaultValue("false") boolean synchronousStandby) {

    /** The settings for a SQLite file in the home. */
    public static LedgerSettings embedded() {
        return new LedgerSettings("", "", "", new Secret(""), false);
    }

    /** Whether the ledger is a SQLite file in the home. */
    public boolean isEmbedded() {
        return url.isEmpty();
    }

    @Override
    public String toString() {
        return isEmbedded() ? "SQLite" : "PostgreSQL as " + user;
    }
}
