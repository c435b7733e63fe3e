/**
 * Collections of locally randomized reports: the protocol document of a device, the sums of all reports, and the
 * estimates that follow from them.
 */
@MayUse({
    "access",
    "admission",
    "json",
    "journal",
    "local",
    "noise",
    "privacy",
    "problem",
    "store",
    "http",
    "openapi",
    "digest"
})
@NullMarked
package dev.purser.collection;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
