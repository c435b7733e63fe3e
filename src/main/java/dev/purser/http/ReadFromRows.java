package dev.purser.http;

import java.util.Map;

/** An argument that was read from rows that the journal records. */
public interface ReadFromRows {
    /** The rows, each by its object in the journal, with the number of its latest entry at that time. */
    Map<String, Long> rows();
}
