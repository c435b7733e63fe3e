/** Reads a JSON request exactly: raw number tokens, no coercion, and every broken rule named at once; the form of lists. */
@MayUse({"privacy", "problem"})
@NullMarked
package dev.purser.json;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
