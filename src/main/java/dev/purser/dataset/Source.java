package dev.purser.dataset;

import dev.purser.tables.TableName;

/** Where a dataset's rows are. */
public sealed interface Source {
    /** The rows are uploaded, once. */
    record Upload() implements Source {}

    /**
     * The rows that a table has when a question is asked.
     *
     * @param connection a name in the service's own configuration
     */
    record Table(String connection, TableName table) implements Source {}
}
