package dev.purser.ledger;

/** Where the simulated store fails, and how. A simulation counts only if every fault point has fired in it. */
enum FaultPoint {
    /** The process dies before the transaction begins. */
    CRASH_BEFORE_BEGIN,
    /** The process dies after any of its looks at the books. */
    CRASH_AFTER_LOOKING,
    /** Another instance changes the same account between our reading and our writing. */
    RIVAL_BEFORE_APPEND,
    /** The process dies before its step is written. */
    CRASH_BEFORE_APPEND,
    /** The process dies after its step is written and before the commit: the step is gone. */
    CRASH_BEFORE_COMMIT,
    /** The commit fails with an unknown outcome; it was made. */
    COMMIT_UNKNOWN_BUT_MADE,
    /** The commit fails with an unknown outcome; it was not made. */
    COMMIT_UNKNOWN_AND_LOST,
    /** The disk is full: the transaction is undone and its caller is told. */
    REFUSED_FOR_WANT_OF_ROOM,
    /** The process dies after the commit and before anybody hears of it. */
    CRASH_AFTER_COMMIT,
    /** The process dies before an answer is stored. */
    CRASH_BEFORE_ANSWER,
    /** Another attempt under the same debit stores its answer first. */
    RIVAL_BEFORE_ANSWER,
    /** Another attempt goes on between two pieces of an attachment. */
    RIVAL_BEFORE_PIECE,
    /** The database cannot be read. */
    READ_FAILS,
    /** The transaction is run twice, as after a deadlock. */
    RUN_AGAIN
}
