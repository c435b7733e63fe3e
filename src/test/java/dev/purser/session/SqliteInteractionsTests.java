package dev.purser.session;

class SqliteInteractionsTests extends InteractionsContract {}
