package dev.purser.dataset;

/** Says that a dataset is gone, so that whoever holds its rows open lets go of them. */
public record DatasetDeleted(String id) {}
