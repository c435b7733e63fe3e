/** Reads JSON requests exactly: raw number tokens, no coercion, all broken rules reported at once. */
@MayUse({"privacy", "problem"})
@NullMarked
package dev.purser.json;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
