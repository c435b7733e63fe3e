package dev.purser.journal;

/**
 * A deciding row, as the journal records it.
 *
 * @param object its kind and id, the same for all versions of the row: {@code key 3f0c…}
 * @param content all that it decides
 */
public record JournaledRow(String object, CanonicalBytes content) {}
