package dev.purser.store;

/** What a storage error affects. */
enum FailureScope {
    /** Only the work that failed. It violated a constraint or had a wrong statement. */
    WORK,
    /** The transaction lost against a transaction of another instance. The same work may succeed if it is run again. */
    AGAIN,
    /** The whole transaction, which the database may have rolled back by itself. The next transaction may succeed. */
    TRANSACTION,
    /** The connection and its transaction. A new connection can find out what the database holds. */
    CONNECTION,
    /** The database. Nothing that this process writes is reliable any more. */
    DATABASE
}
