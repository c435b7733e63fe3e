package dev.purser.ledger;

class SqliteSharedTransactionTests extends SharedTransactionContract {}
