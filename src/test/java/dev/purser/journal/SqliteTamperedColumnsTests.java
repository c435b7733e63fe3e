package dev.purser.journal;

class SqliteTamperedColumnsTests extends TamperedColumnsContract {}
