/** Threshold sessions: the sparse vector technique with questions that may depend on earlier outcomes. */
@MayUse({
    "access",
    "accounting",
    "admission",
    "dataset",
    "digest",
    "engine",
    "interactive",
    "json",
    "ledger",
    "mechanism",
    "noise",
    "privacy",
    "problem",
    "query"
})
@NullMarked
package dev.purser.session;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
