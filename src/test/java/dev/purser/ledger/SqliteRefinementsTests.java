package dev.purser.ledger;

class SqliteRefinementsTests extends RefinementsContract {}
