package dev.purser.ledger;

class SqliteLimitsAndAllotmentsTests extends LimitsAndAllotmentsContract {}
