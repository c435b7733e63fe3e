/** The questions and the one pipeline that answers them. */
@MayUse({
    "admission",
    "privacy",
    "noise",
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
    "store"
})
@NullMarked
package dev.purser.query;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
