/** Turns a sensitive statistic into a private answer. Plain Java; the only module that can open {@link dev.purser.mechanism.Sensitive}. */
@MayUse({"privacy", "noise"})
@NullMarked
package dev.purser.mechanism;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
