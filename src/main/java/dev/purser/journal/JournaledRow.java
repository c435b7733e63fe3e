package dev.purser.journal;

/**
 * A deciding row, as the journal records it.
 *
 * @param object the row's kind and id, the same for all its versions: {@code key 3f0c…}
 * @param content everything that the row decides
 */
public record JournaledRow(String object, CanonicalBytes content) {}
