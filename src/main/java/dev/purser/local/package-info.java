/**
 * Local randomizers, with which a device randomizes its own value before it sends it to a server, and the public
 * constants that turn reports into unbiased estimates. Plain Java.
 */
@MayUse({"privacy", "noise"})
@NullMarked
package dev.purser.local;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
