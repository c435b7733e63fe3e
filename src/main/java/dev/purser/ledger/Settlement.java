package dev.purser.ledger;

/** The answer of a debited question, to be stored. */
public record Settlement(CommittedDebit debit, byte[] body) {}
