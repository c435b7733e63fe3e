package dev.purser.ledger;

class SqliteBlocksOfAccountTests extends BlocksOfAccountContract {}
