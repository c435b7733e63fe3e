package dev.purser.dataset;

/** An upload that its instance began and did not finish. */
record TornLoad(RowsPart part, String account) {}
