package dev.purser.tables;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * One named connection, as {@code purser.connections.<name>.*}. These few properties are all there are: none of them is a URL or
 * reaches a driver unread, so none can name a class, a file or a socket of somebody's choice.
 *
 * @param type which database it is
 * @param host a host name or address
 * @param port of the server; null for the database's usual one
 * @param database the database on that server
 * @param user the role, which can read and nothing else
 * @param password of that role; never shown or logged
 * @param tls how the connection is protected
 * @param maxSessions how many questions read over it at once
 */
public record ConnectionSettings(
        @Nullable Type type,
        @DefaultValue("") String host,
        @Nullable Integer port,
        @DefaultValue("") String database,
        @DefaultValue("") String user,
        @DefaultValue("") String password,
        @DefaultValue("verify") Tls tls,
        @DefaultValue("4") int maxSessions) {

    /** The databases that can be read. Written by hand: this is the page that lists them. */
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

    /** How a connection is protected. */
    public enum Tls {
        /** TLS, with a certificate that this Java trusts and that names the host. */
        VERIFY,
        /** None: for a server on the same machine or a network that is private. */
        OFF
    }

    @Override
    public String toString() {
        return type + " at " + host;
    }
}
