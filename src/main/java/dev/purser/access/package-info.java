/** Authentication and permissions: bearer keys, their principals, roles and grants. */
@MayUse({"admission", "digest", "privacy", "json", "store", "problem"})
@NullMarked
package dev.purser.access;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
