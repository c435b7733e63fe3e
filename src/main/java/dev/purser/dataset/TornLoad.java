package dev.purser.dataset;

/** A load that its instance began and did not end. */
record TornLoad(RowsPart part, String account) {}
