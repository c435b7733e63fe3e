/** The registry of datasets: registration, public bounds, state, and who may see them. */
@MayUse({
    "admission",
    "digest",
    "privacy",
    "json",
    "accounting",
    "ledger",
    "store",
    "access",
    "problem",
    "tables",
    "rows"
})
@NullMarked
package dev.purser.dataset;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
