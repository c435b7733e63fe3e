package dev.purser.collection;

class SqliteTamperedCollectionsTests extends TamperedCollectionsContract {}
