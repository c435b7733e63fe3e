/** Registration, schema, public bounds and ingest of the data that questions are asked about. */
@MayUse({
    "digest",
    "privacy",
    "json",
    "accounting",
    "ledger",
    "store",
    "access",
    "problem",
    "tables",
    "libc",
    "rows",
    "task"
})
@NullMarked
package dev.purser.dataset;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
