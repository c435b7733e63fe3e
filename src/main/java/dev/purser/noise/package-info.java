/** Exact samplers and the random source, in integers, without floating point in between. Plain Java. */
@MayUse({})
@NullMarked
package dev.purser.noise;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
