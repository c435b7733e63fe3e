/** Bounds the memory and the processors that requests take together. Principals take turns. */
@MayUse({"json", "problem"})
@NullMarked
package dev.purser.admission;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
