/** The chained record of every decision that is not a charge, and the check of a stored row against it. */
@MayUse({"digest", "privacy", "problem", "store"})
@NullMarked
package dev.purser.journal;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
