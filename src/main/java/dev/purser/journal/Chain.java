package dev.purser.journal;

import java.util.Arrays;
import java.util.Optional;

/**
 * One chain of the journal. There is no chain of all entries, so that instances on one ledger do not wait for each
 * other. All entries about one object are in one chain.
 *
 * @param owner the account or collection that the chain belongs to; empty for {@link Kind#ACCESS}
 */
public record Chain(Kind kind, String owner) {
    /** Keys: who may do what. */
    public static final Chain ACCESS = new Chain(Kind.ACCESS, "");

    /** What a chain is about. */
    public enum Kind {
        /** Keys. */
        ACCESS("/access", "SELECT ''"),
        /** An account without its charges: its datasets and rows, its answers and who may read the answers. */
        ACCOUNT("/decisions", "SELECT account FROM account"),
        /**
         * The interactive mechanisms that are charged to an account. No charge, answer or right is lost with a step. If
         * steps are lost, the mechanisms end and the service goes on.
         */
        SESSIONS("/sessions", ACCOUNT.owners),
        /** What was sent to one collection. */
        COLLECTION("/reports", "SELECT id FROM collection");

        private final String suffix;
        /** The statement that lists the owners. */
        final String owners;

        Kind(String suffix, String owners) {
            this.suffix = suffix;
            this.owners = owners;
        }
    }

    public static Chain ofAccount(String account) {
        return new Chain(Kind.ACCOUNT, account);
    }

    public static Chain ofSessions(String account) {
        return new Chain(Kind.SESSIONS, account);
    }

    public static Chain ofCollection(String id) {
        return new Chain(Kind.COLLECTION, id);
    }

    /** The name under which the chain's head is anchored. Unlike the name of an account, it has a slash. */
    public String name() {
        return owner + kind.suffix;
    }

    /** The chain with this name; empty if the name is an account's name or unknown. */
    static Optional<Chain> named(String name) {
        return Arrays.stream(Kind.values())
                .filter(kind -> name.endsWith(kind.suffix))
                .findFirst()
                .map(kind -> new Chain(kind, name.substring(0, name.length() - kind.suffix.length())));
    }

    @Override
    public String toString() {
        return name();
    }
}
