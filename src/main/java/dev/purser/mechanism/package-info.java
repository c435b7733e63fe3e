/** Turns sensitive statistics into private answers. Plain Java. Only this module can open {@link Sensitive}. */
@MayUse({"privacy", "noise", "local"})
@NullMarked
package dev.purser.mechanism;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
