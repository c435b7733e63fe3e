package dev.purser.ledger;

/** Accounts as they can be looked at: whoever has only this can spend nothing. */
@FunctionalInterface
public interface AccountBooks {
    /** The account's books now. */
    Budget budget(String account);
}
