package dev.purser.ledger;

class SqliteTamperedQuestionsTests extends TamperedQuestionsContract {}
