/** The registry of datasets: registration, public bounds, state, and who may see them. */
@MayUse({
    "privacy",
    "json",
    "accounting",
    "journal",
    "ledger",
    "ledger.view",
    "store",
    "access",
    "problem",
    "tables",
    "rows",
    "http",
    "openapi",
    "digest"
})
@NullMarked
package dev.purser.dataset;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
