/** Synopses: purchased summaries of columns, and what they answer for nothing. */
@MayUse({
    "admission",
    "digest",
    "privacy",
    "json",
    "dataset",
    "engine",
    "mechanism",
    "accounting",
    "ledger",
    "ledger.attachment",
    "ledger.proof",
    "ledger.view",
    "access",
    "problem",
    "http",
    "openapi",
    "query",
    "store"
})
@NullMarked
package dev.purser.synopsis;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
