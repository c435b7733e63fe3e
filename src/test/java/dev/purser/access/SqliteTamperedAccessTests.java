package dev.purser.access;

class SqliteTamperedAccessTests extends TamperedAccessContract {}
