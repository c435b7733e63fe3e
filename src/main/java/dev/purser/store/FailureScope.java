package dev.purser.store;

/** How far a storage error reaches. */
enum FailureScope {
    /** Only the work that met it: a broken rule, a wrong statement. */
    WORK,
    /** The transaction lost against another instance's; the same works may succeed if they are run again. */
    AGAIN,
    /** The whole transaction, which the database may have rolled back by itself; the next one may succeed. */
    TRANSACTION,
    /** The connection, and with it what it was doing; the database can be asked on a new one what it holds. */
    CONNECTION,
    /** Nothing this process writes can be relied on any more. */
    DATABASE
}
