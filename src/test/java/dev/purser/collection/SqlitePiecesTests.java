package dev.purser.collection;

class SqlitePiecesTests extends PiecesContract {}
