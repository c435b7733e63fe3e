/** Threshold sessions: the sparse vector technique with questions that may depend on earlier outcomes. */
@MayUse({
    "access",
    "accounting",
    "dataset",
    "digest",
    "engine",
    "json",
    "ledger",
    "mechanism",
    "noise",
    "privacy",
    "problem",
    "query",
    "http",
    "openapi",
    "store",
    "journal"
})
@NullMarked
package dev.purser.session;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
