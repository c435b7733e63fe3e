package dev.purser.tables;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code purser.connections.<name>.*} of one named connection. There are only these properties. None is a
 * URL or reaches a driver unchecked, so none can name an arbitrary class, file or socket.
 *
 * @param type the kind of database
 * @param host a host name or address
 * @param port the port of the server; null for the database's usual port
 * @param database the database on that server
 * @param user the role, which must have read access only
 * @param password the password of that role; never shown or logged
 * @param tls the protection of the connection
 * @param maxSessions the largest number of questions that read over it at once
 */
public record ConnectionSettings(
        @Nullable Type type,
        @DefaultValue("") String host,
        @Min(1) @Max(65_535) @Nullable Integer port,
        @DefaultValue("") String database,
        @DefaultValue("") String user,
        @DefaultValue("") String password,
        @DefaultValue("verify") Tls tls,
        @Min(1) @Max(64) @DefaultValue("4") int maxSessions) {

    /** The hand-written list of the databases that can be read. */
    public enum Type {
        POSTGRESQL(new PostgresDialect(), 5432),
        MARIADB(new MariaDbDialect(), 3306),
        TRINO(new TrinoDialect(), 8443);

        private final Dialect dialect;
        private final int usualPort;

        Type(Dialect dialect, int usualPort) {
            this.dialect = dialect;
            this.usualPort = usualPort;
        }

        Dialect dialect() {
            return dialect;
        }

        int usualPort() {
            return usualPort;
        }
    }

    /** The protection of a connection. */
    public enum Tls {
        /** TLS, with a certificate that this Java trusts and that names the host. */
        VERIFY,
        /** No protection: for a server on the same machine or on a private network. */
        OFF
    }

    @Override
    public String toString() {
        return type + " at " + host;
    }
}
