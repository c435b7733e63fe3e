/** Authentication and permissions: bearer keys, their principals, roles and grants. */
@MayUse({"privacy", "json", "store", "problem", "http", "digest", "journal"})
@NullMarked
package dev.purser.access;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
