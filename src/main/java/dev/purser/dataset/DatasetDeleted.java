package dev.purser.dataset;

/** A dataset was deleted. Components that hold its rows open have to close them. */
public record DatasetDeleted(String id) {}
