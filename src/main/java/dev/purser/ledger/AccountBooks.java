package dev.purser.ledger;

/** Read access to accounts. A class that has only this cannot spend anything. */
@FunctionalInterface
public interface AccountBooks {
    /** The current state of the account. */
    Budget budget(String account);
}
